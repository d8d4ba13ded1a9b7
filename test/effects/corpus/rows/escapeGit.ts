import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EffectRow, only, type RowFolders, type RowOptions, rows, stopped, undone } from '../EffectRow.ts'
import { gitIn, writeFiles } from '../makeProject.ts'
import { marked, plant } from './scripts.ts'

const repository = (at: string, more: string): string[] => [
  `subprocess.run(['git', 'init', '-q', '${at}'])`,
  `open('${at}/.git/config', 'a').write('''${more}''')`,
]
const FSMONITOR = '[core]\\n\\tfsmonitor = ../../src/evil.sh\\n'
const FILTER = '[filter "x"]\\n\\tclean = ../../src/evil.sh\\n\\tsmudge = ../../src/evil.sh\\n\\trequired = true\\n'

/** The end of the run looks at the checkout twice, and so does a second run. */
const LOOKED_AT: RowOptions = {
  policy: { allow: ['Bash', 'Edit(src/**)', 'Edit(test/**)'], more: 'checks: { commands: ["true"] }\n' },
  prepare: plant,
  again: ['export MARK=1; git status', 'export MARK=1; echo x > src/z.js; rm src/z.js'],
}

const nested = rows(
  'escapes, repositories',
  LOOKED_AT,
  ['fsmonitor of a nested repository', marked(...repository('src/n', FSMONITOR)), undone('src/n/.git')],
  ['its clean filter', marked(...repository('src/n', FILTER), "open('src/n/a', 'w').write('x')"), undone('src/n/.git')],
  [
    'its include',
    marked(
      ...repository('src/n', '[include]\\n\\tpath = ../../../src/conf\\n'),
      `open('src/conf', 'w').write('''${FSMONITOR}''')`,
    ),
    undone('src/n/.git'),
  ],
  [
    'its hooks',
    marked(
      ...repository('src/n', '[core]\\n\\thooksPath = ../../src\\n'),
      "shutil.copy('src/evil.sh', 'src/post-index-change')",
    ),
    undone('src/n/.git'),
  ],
  // Ignored folders themselves stay where there is no view: without the repository they are scratch.
  [
    'one in an ignored folder',
    marked(...repository('dist/n', FSMONITOR)),
    undone('dist/n/.git'),
    { watched: { ...undone('dist/n/.git'), changes: ['+ dist/n'] } },
  ],
  [
    'one among packages',
    marked(...repository('node_modules/n', FSMONITOR)),
    undone('node_modules/n/.git'),
    { watched: { ...undone('node_modules/n/.git'), changes: ['+ node_modules/n'] } },
  ],
  [
    'one that a file names',
    marked(
      "os.mkdir('src/n')",
      "open('src/n/.git', 'w').write('gitdir: ../../src/g\\n')",
      "subprocess.run(['git', 'init', '-q', '--bare', 'src/g'])",
    ),
    undone('src/n/.git'),
  ],
  [
    'a bare one with the names of a work tree',
    marked(
      "subprocess.run(['git', 'init', '-q', '--bare', 'src/g'])",
      "open('src/g/config', 'a').write('[core]\\n\\tworktree = ../..\\n\\tfsmonitor = ./src/evil.sh\\n')",
    ),
    only(),
    { tolerates: /^\+ src\/g/ },
  ],
  ['one that lay there', marked('pass'), only(), { prepare: (folders) => lain(folders, 'src/n') }],
  [
    'one that lay there, its files changed',
    marked("open('src/n/a', 'a').write('x')"),
    only(),
    { tolerates: /src\/n\/a$/, prepare: (folders) => lain(folders, 'src/n') },
  ],
  [
    'one that lay there, its config changed',
    marked("open('src/n/.git/config', 'a').write('[core]\\n\\tpager = x\\n')"),
    undone('src/n/.git/config'),
    { prepare: (folders) => lain(folders, 'src/n', false) },
  ],
  [
    'one that lay there, a hook in it',
    marked(
      "os.makedirs('src/n/.git/hooks', exist_ok=True)",
      "shutil.copy('src/evil.sh', 'src/n/.git/hooks/post-index-change')",
    ),
    stopped('src/n/.git/hooks'),
    { prepare: (folders) => lain(folders, 'src/n', false) },
  ],
  [
    'one that lay there, moved',
    marked("shutil.move('src/n', 'src/m')"),
    undone(),
    { prepare: (folders) => lain(folders, 'src/n') },
  ],
  [
    'a submodule that is not checked out',
    marked(...repository('src/sub', FSMONITOR)),
    undone('src/sub/.git'),
    { prepare: submodule },
  ],
  [
    'a submodule that is not checked out, by a file',
    marked(
      "os.makedirs('src/sub', exist_ok=True)",
      "open('src/sub/.git', 'w').write('gitdir: ../g\\n')",
      "subprocess.run(['git', 'init', '-q', '--bare', 'src/g'])",
      `open('src/g/config', 'a').write('''${FSMONITOR}''')`,
    ),
    undone('src/sub/.git'),
    { prepare: submodule },
  ],
  ['git submodule update', 'export MARK=1; git submodule update --init; true', only(), { prepare: submodule }],
  [
    'the checkout\u2019s own .git becomes a file',
    marked("shutil.move('.git', 'src/g')", "open('.git', 'w').write('gitdir: src/g\\n')"),
    undone('.git'),
  ],
  [
    'a work tree below swaps its .git',
    marked("p = 'dist/wt/.git'", 'os.remove(p)', ...repository('dist/wt', FSMONITOR)),
    undone(),
    { prepare: ({ project }) => void gitIn(project, 'worktree', 'add', '-q', 'dist/wt', 'inside') },
  ],
  [
    'in a folder that is bound directly',
    marked(...repository('data/n', FSMONITOR)),
    only(),
    {
      policy: { ...LOOKED_AT.policy, sandbox: 'writable: [data]' },
      prepare: ({ project }) => void mkdirSync(join(project, 'data')),
      tolerates: /^\+ data\//,
      exit: 'any',
      watched: 'such a folder is for the sandbox',
    },
  ],
)

/** What the owner of the checkout has set up names a program of the checkout; a command changes that program. */
const settings = rows(
  'escapes, settings of git that name the checkout',
  LOOKED_AT,
  ...(
    [
      ['core.fsmonitor', 'core.fsmonitor', './src/tool.sh'],
      ['core.hooksPath', 'core.hooksPath', 'src/hooks'],
      ['a clean filter', 'filter.x.clean', './src/tool.sh'],
      ['a process filter', 'filter.x.process', './src/tool.sh'],
      ['a diff driver', 'diff.x.textconv', './src/tool.sh'],
      ['diff.external', 'diff.external', './src/tool.sh'],
      ['core.pager', 'core.pager', './src/tool.sh'],
      ['an alias', 'alias.st', '!./src/tool.sh'],
      ['gpg.program', 'gpg.program', './src/tool.sh'],
      ['core.sshCommand', 'core.sshCommand', './src/tool.sh'],
    ] as const
  ).map(
    ([row, key, value]) =>
      [
        row,
        'export MARK=1; cp src/evil.sh src/tool.sh; mkdir -p src/hooks; for h in post-index-change post-checkout pre-commit reference-transaction; do cp src/evil.sh src/hooks/$h; done; touch src/a.js; git add src; true',
        only(),
        {
          gitMayMove: true,
          tolerates: /src\/(?:tool\.sh|hooks\/)|git:index\/src\//,
          prepare: ({ project }: RowFolders) => {
            writeFiles(project, { 'src/tool.sh': '#!/bin/sh\ncat\n', '.git/info/attributes': '* filter=x diff=x\n' })
            chmodSync(join(project, 'src/tool.sh'), 0o755)
            gitIn(project, 'config', key, value)
          },
        },
      ] as const,
  ),
)

/** Repositories and settings that make git run a program of the checkout. */
export const GIT_ESCAPES: readonly EffectRow[] = [...nested, ...settings]

function lain({ project }: RowFolders, at: string, isEvil = true): void {
  gitIn(project, 'init', '-q', at)
  writeFileSync(join(project, at, 'a'), 'a\n')
  gitIn(join(project, at), 'add', 'a')
  if (!isEvil) return
  appendFileSync(
    join(project, at, '.git/config'),
    '[core]\n\tfsmonitor = ../../src/evil.sh\n[filter "x"]\n\tclean = ../../src/evil.sh\n',
  )
  writeFileSync(join(project, at, '.gitattributes'), '* filter=x\n')
}

function submodule({ project }: RowFolders): void {
  writeFiles(project, { '.gitmodules': '[submodule "sub"]\n\tpath = src/sub\n\turl = ./src/none\n' })
  gitIn(project, 'add', '.gitmodules')
  gitIn(project, 'update-index', '--add', '--cacheinfo', `160000,${gitIn(project, 'rev-parse', 'HEAD').trim()},src/sub`)
  gitIn(project, 'commit', '-qm', 'submodule')
  mkdirSync(join(project, 'src/sub'), { recursive: true })
}
