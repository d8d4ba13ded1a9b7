import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isWithin } from '../lib/isWithin.ts'
import type { Mount } from './bubblewrapArguments.ts'

/** Below the home folder: what logs in somewhere, and what remembers what was typed. */
const CREDENTIALS = [
  ...['.ssh', '.gnupg', '.password-store', '.netrc', '_netrc', '.git-credentials', '.config/git/credentials'],
  ...[
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pypirc',
    '.gem/credentials',
    '.cargo/credentials',
    '.cargo/credentials.toml',
  ],
  ...[
    '.m2/settings.xml',
    '.m2/settings-security.xml',
    '.gradle/gradle.properties',
    '.nuget/NuGet',
    '.composer/auth.json',
  ],
  ...[
    '.aws',
    '.azure',
    '.config/gcloud',
    '.boto',
    '.s3cfg',
    '.oci',
    '.config/doctl',
    '.config/rclone',
    '.fly',
    '.heroku',
  ],
  ...['.docker', '.config/containers', '.kube', '.config/helm', '.terraform.d', '.terraformrc', '.vault-token'],
  ...[
    '.config/gh',
    '.config/glab-cli',
    '.config/hub',
    '.config/op',
    '.config/netlify',
    '.config/configstore',
    '.vercel',
  ],
  ...[
    '.claude',
    '.claude.json',
    '.config/anthropic',
    '.anthropic',
    '.codex',
    '.gemini',
    '.config/kode',
    '.kode',
    '.kode.json',
  ],
  ...[
    '.pgpass',
    '.my.cnf',
    '.local/share/keyrings',
    '.mozilla',
    '.thunderbird',
    '.config/google-chrome',
    '.config/chromium',
  ],
  ...['.bash_history', '.zsh_history', '.local/share/fish', '.node_repl_history', '.python_history', '.psql_history'],
]

/** Filled by programs at work; another job may trust what it finds there, so every run has its own. */
const CACHES = ['.npm', '.cache']

/**
 * A home folder for children: a writable one for this run, in which everything of the real one shows read-only but for
 * credentials and caches. Empty where the home folder is missing or is the workspace itself.
 */
export function homeMounts(home: string | undefined, scratch: string, workspaces: readonly string[]): Mount[] {
  const real = home === undefined ? undefined : realFolder(home)
  if (real === undefined || real === '/' || workspaces.some((workspace) => isWithin(real, workspace))) return []
  const shown = readdirSync(real).filter((name) => ![...CREDENTIALS, ...CACHES].includes(name))
  const inner = CREDENTIALS.filter((path) => path.includes('/') && existsSync(join(real, path)))
  return [
    { kind: 'writable', source: join(scratch, 'home'), target: real },
    ...shown.map((name) => entryMount(join(real, name))),
    ...inner.map((path) => hiddenMount(realpathSync(join(real, path)), scratch)),
  ]
}

/** Hides the credentials of all other users that this one can see: root sees those of everybody. */
export function otherHomeMounts(home: string | undefined, scratch: string): Mount[] {
  const others = ['/root', ...entriesOf('/home').map((name) => join('/home', name))]
  return others
    .filter((folder) => folder !== home && realFolder(folder) === folder)
    .flatMap((folder) => CREDENTIALS.map((path) => join(folder, path)).filter((path) => existsSync(path)))
    .map((path) => hiddenMount(realpathSync(path), scratch))
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Hides one existing place: an empty folder over a folder, an empty file over anything else. */
export function hiddenMount(path: string, scratch: string): Mount {
  return lstatSync(path).isDirectory()
    ? { kind: 'empty', target: path }
    : { kind: 'readOnly', source: join(scratch, 'empty'), target: path }
}

function entryMount(path: string): Mount {
  return lstatSync(path).isSymbolicLink()
    ? { kind: 'link', to: readlinkSync(path), target: path }
    : { kind: 'readOnly', source: path, target: path }
}

/** Where a folder really is; undefined where there is none. */
export function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path)
    return lstatSync(real).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}
