import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Writes the files of a plugin, by path; a text that starts with `#!` may be executed. */
export function writePlugin(folder: string, files: Readonly<Record<string, string | object>>): string {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  }
  return folder
}

/** The manifest of a plugin. */
export function manifest(name: string, more: object = {}) {
  return { '.claude-plugin/plugin.json': { name, version: '1.0.0', ...more } }
}
