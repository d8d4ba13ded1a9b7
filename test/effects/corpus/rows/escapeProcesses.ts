import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type EffectRow, kept, only, type RowFolders, type RowOptions, rows, series, stopped } from '../EffectRow.ts'
import { writeFiles } from '../makeProject.ts'
import { HEAD, py } from './scripts.ts'

const GUIDE = 'docs/guide.md'

/** A server of tools that answers. */
const STUB = readFileSync(join(import.meta.dirname, '../../../helpers/stubMcp.mjs'), 'utf8')

const later = [
  ...rows(
    'escapes, processes that stay',
    {},
    [
      'one that writes later',
      "(setsid sh -c 'sleep 1; echo late >> src/a.js; echo late >> docs/guide.md' > /dev/null 2>&1 &)",
      only(),
      { tolerates: /^~ src\/a\.js$/ },
    ],
    [
      'one that never stops writing',
      "(setsid sh -c 'while :; do echo x >> docs/guide.md; echo x >> src/a.js; done' > /dev/null 2>&1 &) ; sleep 0.3",
      only(),
      { tolerates: /^~ src\/a\.js$/ },
    ],
    [
      'one that swaps a file for a link',
      py(
        'if os.fork() == 0:',
        '  os.setsid()',
        '  null = os.open("/dev/null", os.O_RDWR)',
        '  for fd in (0, 1, 2): os.dup2(null, fd)',
        '  while True:',
        "    open('src/s.tmp', 'w').write('x')",
        "    os.rename('src/s.tmp', 'src/s')",
        "    os.symlink('/etc/passwd', 'src/s.tmp')",
        "    os.rename('src/s.tmp', 'src/s')",
        'time.sleep(0.5)',
      ),
      only(),
      { tolerates: /^\+ src\/s(?:\.tmp)?$/, also: linkOut },
    ],
    [
      'one that swaps a folder for a link',
      py(
        "os.makedirs('src/d/e')",
        "open('src/d/e/guide.md', 'w').write('x')",
        'if os.fork() == 0:',
        '  os.setsid()',
        '  null = os.open("/dev/null", os.O_RDWR)',
        '  for fd in (0, 1, 2): os.dup2(null, fd)',
        '  while True:',
        "    attempt(os.rename, 'src/d/e', 'src/d/f')",
        "    attempt(os.symlink, '../../docs', 'src/d/e')",
        "    attempt(os.remove, 'src/d/e')",
        "    attempt(os.rename, 'src/d/f', 'src/d/e')",
        'time.sleep(0.5)',
      ),
      only(),
      { tolerates: /^\+ src\/d\// },
    ],
    [
      'a daemon',
      py(
        'if os.fork() == 0:',
        '  os.setsid()',
        '  if os.fork() == 0:',
        '    null = os.open("/dev/null", os.O_RDWR)',
        '    for fd in (0, 1, 2): os.dup2(null, fd)',
        '    for i in range(40):',
        '      time.sleep(0.1)',
        "      open('docs/guide.md', 'a').write('late')",
        '  os._exit(0)',
        'os.wait()',
      ),
      only(),
    ],
  ),
  series(
    'escapes, processes that stay',
    'one that writes while the next call works',
    [
      [
        "(setsid sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; echo late >> docs/guide.md; done' > /dev/null 2>&1 &)",
        only(),
      ],
      ['sleep 1; echo x > src/new.js', only()],
      ['sleep 1; cat docs/guide.md', only()],
    ],
    { tolerates: /^\+ src\/new\.js$/ },
  ),
  series(
    'escapes, processes that stay',
    'a background command',
    [
      [
        {
          name: 'Bash',
          input: { command: 'echo x >> docs/guide.md; echo y > src/bg.js; sleep 60', run_in_background: true },
        },
        only(),
      ],
      ['sleep 1; ls', only()],
    ],
    { tolerates: /^\+ src\/bg\.js$/ },
  ),
  series(
    'escapes, processes that stay',
    'a background command that makes a nested repository',
    [
      [{ name: 'Bash', input: { command: 'python3 src/w.py; sleep 60', run_in_background: true } }, only()],
      ['sleep 1; ls', only()],
    ],
    {
      tolerates: /^\+ src\/n$/,
      files: py(
        "subprocess.run(['git', 'init', '-q', 'src/n'])",
        "open('src/n/.git/config', 'a').write('[core]\\n\\tfsmonitor = touch ../../../outside/ran\\n')",
      ).files,
    },
  ),
  // The call sees what nobody has judged yet.
  series(
    'escapes, processes that stay',
    'a background command that moves a branch, on which a call commits',
    [
      [
        {
          name: 'Bash',
          input: {
            command: `until [ -e "\${TMPDIR:-/tmp}/go" ]; do sleep 0.1; done; git update-ref refs/heads/main $(git commit-tree -p HEAD -m evil $(git rev-parse 'outside^{tree}')); sleep 60`,
            run_in_background: true,
          },
        },
        only(),
      ],
      ['touch "${TMPDIR:-/tmp}/go"; sleep 2; echo x >> src/b.js; git commit -qm x src/b.js', stopped(GUIDE)],
      ['git log --oneline', only()],
    ],
    { gitMayMove: true, tolerates: /^(?:\+ \.\.\/tmp\/go|~ src\/b\.js)$/, exit: 'any' },
  ),
  series(
    'escapes, processes that stay',
    'a background command that writes what git ignores, by which a call makes files',
    [
      [
        {
          name: 'Bash',
          input: {
            command: `until [ -e "\${TMPDIR:-/tmp}/go" ]; do sleep 0.1; done; echo '*.md' > docs/.gitignore; sleep 60`,
            run_in_background: true,
          },
        },
        only(),
      ],
      ['touch "${TMPDIR:-/tmp}/go"; sleep 1; echo x > docs/new.md', stopped('docs/new.md')],
    ],
    { tolerates: /^\+ \.\.\/tmp\/go$/, exit: 'any' },
  ),
  series(
    'escapes, processes that stay',
    'a background command that writes what is protected',
    [
      [{ name: 'Bash', input: { command: 'python3 src/w.py; sleep 60', run_in_background: true } }, only()],
      ['sleep 1; ls', only()],
    ],
    {
      files: py(
        "open('.git/config', 'a').write('[core]\\n\\tfsmonitor = x\\n')",
        "open('.github/workflows/ci.yml', 'w').write('x')",
        "os.remove('package.json')",
        "os.mkdir('new')",
        "open('new/x', 'w').close()",
      ).files,
    },
  ),
]

/** A background command that puts a link to `outside` in the place of its folder and back, all the time. */
const swapping = (folder: string, line: string) =>
  py(
    "outside = os.path.join(os.path.dirname(os.getcwd()), 'outside')",
    'while True:',
    `  attempt(os.makedirs, '${folder}')`,
    `  attempt(lambda: open('${folder}/keep.txt', 'w').write('evil'))`,
    `  ${line}`,
    '  for i in range(50):',
    `    attempt(os.rename, '${folder}', '${folder}.q')`,
    `    attempt(os.symlink, outside, '${folder}')`,
    `    attempt(os.remove, '${folder}')`,
    `    attempt(os.rename, '${folder}.q', '${folder}')`,
  )

const swaps: EffectRow[] = (
  [
    ['it is removed', 'p', 'pass'],
    ['it is put back', 'src/d', "attempt(os.chmod, 'src/d/keep.txt', 0o4755)"],
  ] as const
).map(([row, folder, line]) =>
  series(
    'escapes, a folder swapped for a link',
    row,
    [
      [{ name: 'Bash', input: { command: swapping(folder, line).line, run_in_background: true } }, only()],
      ['sleep 0.5', only()],
      ...['1', '2', '3', '4', '5', '6', '7', '8'].map((call) => [`true ${call}`, only()] as const),
    ],
    {
      files: { ...swapping(folder, line).files, 'src/d/keep.txt': 'mine' },
      tolerates: /^. (?:p|src\/d)/,
      exit: 'any',
    },
  ),
)

/** Hooks, servers and checks whose programs lie in the checkout. */
const started: EffectRow[] = [
  ...rows(
    'escapes, checks',
    {},
    ['one that changes a file', 'true', only(), { ...check("open('docs/guide.md', 'w').write('x')"), exit: 'any' }],
    [
      'one that writes elsewhere',
      'true',
      only(),
      {
        ...check("attempt(lambda: open('../outside/ran', 'w').write('x'))"),
        exit: 'any',
        watched: 'no wall around files elsewhere',
      },
    ],
    [
      'one that makes a nested repository',
      'true',
      only(),
      { ...check("subprocess.run(['git', 'init', '-q', 'src/n'])"), exit: 'any' },
    ],
    ['one that leaves a report', 'true', kept(), { ...check("open('junit.xml', 'w').write('x')") }],
    ['one that builds', 'true', kept('+ dist/new.js'), { ...check("open('dist/new.js', 'w').write('x')") }],
    [
      'one that changes what it may not even',
      'true',
      only(),
      { ...check("open('src/a.js', 'a').write('//')"), exit: 'any' },
    ],
    ['one that reads the key', 'true', kept(), { ...check("sys.exit(1 if 'ANTHROPIC_API_KEY' in os.environ else 0)") }],
  ),
  ...rows(
    'escapes, hooks',
    {
      policy: {
        allow: ['Bash', 'Edit(src/**)', 'Edit(tools/**)'],
        more: 'hooks:\n  PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: "node tools/guard.mjs" }] }]\n  PostToolUse: [{ matcher: Bash, hooks: [{ type: command, command: "node tools/guard.mjs" }] }]\n',
      },
      exit: 'any',
    },
    [
      'what a hook imports is changed',
      'export MARK=1; cp src/evil.mjs tools/lib.mjs',
      only(),
      {
        prepare: guarded,
        again: ['export MARK=1; true'],
        tolerates: /tools\//,
        watched: 'the second run takes the script as it lies there, without a wall',
      },
    ],
    [
      'a hook is changed',
      'export MARK=1; cp src/evil.mjs tools/guard.mjs',
      only(),
      { prepare: guarded, tolerates: /tools\// },
    ],
    [
      'a hook writes',
      'true',
      only(),
      {
        prepare: (folders) => {
          guarded(folders)
          writeFiles(folders.project, {
            'tools/lib.mjs': "import fs from 'node:fs'\ntry { fs.writeFileSync('docs/guide.md', 'x') } catch {}\n",
          })
        },
        watched: 'nothing holds a hook there',
      },
    ],
    [
      'a settings file that a hook reads',
      'export MARK=1; cp src/evil.mjs src/settings.mjs',
      only(),
      {
        prepare: (folders) => {
          guarded(folders)
          writeFiles(folders.project, {
            'tools/lib.mjs': "await import('../src/settings.mjs')\n",
            'src/settings.mjs': '',
          })
        },
        tolerates: /src\/settings/,
        watched: 'nothing holds a hook there',
      },
    ],
  ),
  ...rows(
    'escapes, servers',
    {
      policy: {
        allow: ['Bash', 'Edit(src/**)'],
        more: 'mcpServers:\n  x: { command: node, args: [tools/server.mjs] }\n',
      },
      exit: 'any',
    },
    [
      'a server that writes elsewhere',
      'true',
      only(),
      {
        files: {
          'tools/server.mjs': `${STUB}import fs from 'node:fs'\ntry { fs.writeFileSync('../outside/ran', 'x') } catch {}\n`,
        },
        watched: 'no wall around files elsewhere',
      },
    ],
    [
      'a server that changes the checkout',
      'true',
      only(),
      {
        files: {
          'tools/server.mjs': `${STUB}import fs from 'node:fs'\ntry { fs.writeFileSync('docs/guide.md', 'x') } catch {}\n`,
        },
      },
    ],
    [
      'a server that makes a nested repository',
      'true',
      only(),
      {
        tolerates: /^\+ src\/n$/,
        files: {
          'tools/server.mjs':
            `${STUB}` +
            "import { execSync } from 'node:child_process'\ntry { execSync('git init -q src/n') } catch {}\n",
        },
      },
    ],
  ),
]

/** Processes that stay, and programs of the checkout that the run starts. */
export const PROCESS_ESCAPES: readonly EffectRow[] = [...later, ...swaps, ...started]

function check(line: string): RowOptions {
  return {
    files: { 'src/check.py': `${HEAD}${line}\n` },
    policy: { allow: ['Bash', 'Edit(src/**)'], more: 'checks: { commands: ["python3 src/check.py"] }\n' },
  }
}

function guarded({ base, project }: RowFolders): void {
  const evil = `import fs from 'node:fs'\nif (!process.env.MARK) try { fs.writeFileSync('${base}/outside/ran', 'x') } catch {}\n`
  writeFiles(project, { 'tools/guard.mjs': "import './lib.mjs'\n", 'tools/lib.mjs': '\n', 'src/evil.mjs': evil })
}

function linkOut({ project }: RowFolders): string | undefined {
  const file = join(project, 'src/s')
  if (!existsSync(file) && lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined
  return lstatSync(file).isSymbolicLink() ? `src/s leads to ${readlinkSync(file)}` : undefined
}
