import { type Everyday, everyday } from './row.ts'

export const SCRIPT = '#!/bin/sh\necho "$(basename "$0") in $(basename "$PWD"): $*"\n'

/** A small project with the programs an agent calls. */
export const PROJECT: Record<string, string> = {
  ...Object.fromEntries(
    [
      'npm',
      'npx',
      'node',
      'make',
      'cargo',
      'go',
      'pytest',
      'python3',
      'tsc',
      'docker',
      'gh',
      'pnpm',
      'yarn',
      'eslint',
    ].map((name) => [`bin/${name}`, SCRIPT]),
  ),
  'package.json': '{"name":"demo","version":"1.0.0"}\n',
  'README.md': '# Demo\n\nTODO: write\n',
  'src/index.ts': 'export const a = 1\n// TODO: more\n',
  'src/util.ts': 'export function help() {}\n',
  'src/deep/x.test.ts': 'test("x", () => {})\n',
  'sub/package.json': '{}\n',
  'packages/a/package.json': '{}\n',
  'packages/b/package.json': '{}\n',
  'data.txt': 'b 2\na 1\nc 3\na 1\n',
  'log.txt': 'ok\nERROR one\nok\nERROR two\n',
  gradlew: SCRIPT,
}

export const RULES = {
  allow: [
    'npm test:*',
    'npm run:*',
    'npm ci',
    'npx tsc:*',
    'node:*',
    'make:*',
    'cargo:*',
    'go test:*',
    'go build:*',
    'pytest:*',
    'python3:*',
    'git status:*',
    'git diff:*',
    'git log:*',
    'git add:*',
    'git commit:*',
    'git show:*',
    'git branch:*',
    'git rev-parse:*',
    'git checkout:*',
    'git stash:*',
    'git blame:*',
    'git ls-files:*',
    'git grep:*',
    'git config --get:*',
    'git config:*',
    'git remote:*',
    'git describe:*',
    'git fetch:*',
    'ls:*',
    'cat:*',
    'head:*',
    'tail:*',
    'grep:*',
    'wc:*',
    'sort:*',
    'uniq:*',
    'cut:*',
    'echo:*',
    'printf:*',
    'find:*',
    'rg:*',
    'sed:*',
    'awk:*',
    'mkdir:*',
    'touch:*',
    'cp:*',
    'mv:*',
    'rm:*',
    'diff:*',
    'tr:*',
    'basename:*',
    'dirname:*',
    'pwd',
    'date:*',
    'which:*',
    'sleep:*',
    'tee:*',
    'stat:*',
    'xargs:*',
    'gh pr:*',
    'docker ps:*',
    'pnpm:*',
    'yarn:*',
    'eslint:*',
    './gradlew:*',
    'jq:*',
    'du:*',
    'tac',
    'nl:*',
    'seq:*',
    'chmod:*',
    'true',
    'comm:*',
    'paste:*',
  ],
  edit: ['.'],
}

export const project = (...rows: readonly (string | Omit<Everyday, 'allow' | 'files'>)[]): Everyday[] =>
  everyday(RULES, ...rows.map((row) => ({ files: PROJECT, ...(typeof row === 'string' ? { text: row } : row) })))

export const repository = (...texts: readonly string[]): Everyday[] =>
  everyday(
    RULES,
    ...texts.map((text) => ({
      files: { ...PROJECT, '.git!': '' },
      text,
      isVolatile: /commit|stash|log|show/.test(text),
    })),
  )

export const RULES_WITH_SECRET = { ...RULES, secret: ['.env'] }
export const guarded = (...texts: readonly string[]): Everyday[] =>
  everyday(RULES_WITH_SECRET, ...texts.map((text) => ({ text, files: { ...PROJECT, '.env': 'A=1\n', '.git!': '' } })))

/** Lines of agents that were refused without need. */
export const wider = (...texts: readonly string[]): Everyday[] =>
  everyday(
    { ...RULES, allow: [...RULES.allow, 'npx:*', 'xxd:*', 'strings:*', 'zcat:*', 'od:*'] },
    ...texts.map((text) => ({ text, files: { ...PROJECT, 'table.csv': 'n,v,f\n1,4,0.5\n2,9,0.7\n' } })),
  )
