import { findProgram } from '../../src/sandbox/environment/childPath.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The path of an installed Chromium; undefined where there is none. */
export function findChromium(): string | undefined {
  return NAMES.map((name) => findProgram(name, process.env['PATH'] ?? '')).find((path) => path !== undefined)
}
