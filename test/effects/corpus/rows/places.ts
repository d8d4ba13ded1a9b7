import { existsSync, symlinkSync } from 'node:fs'
import { kept, only, rows, stopped, undone } from '../EffectRow.ts'
import { py } from './scripts.ts'

const GUIDE = 'docs/guide.md'
/** Nothing makes it, and nothing may. */
const FAR = '/opt/kode-run-never'
const ALL = { allow: ['Bash', 'Edit(**)'] }

/** Places that are protected whatever is allowed. */
const PLACES: readonly (readonly [path: string, why: string])[] = [
  ['.github/workflows/ci.yml', 'GitHub runs it'],
  ['.github/workflows/new.yml', 'GitHub runs it'],
  ['.github/actions/x/action.yml', 'GitHub runs it'],
  ['.npmrc', 'it steers npm'],
  ['.mcp.json', 'it steers agents'],
  ['.claude/settings.json', 'it steers agents'],
  ['.kode/policy.yml', 'it steers agents'],
  ['.vscode/tasks.json', 'it steers editors'],
  ['.husky/pre-commit', 'git runs it'],
  ['.gitattributes', 'it names programs that git runs'],
  ['src/.gitattributes', 'it names programs that git runs, at any depth'],
  ['.gitmodules', 'it controls git'],
  ['.envrc', 'shells run it'],
  ['.gitlab-ci.yml', 'CI runs it'],
  ['.pre-commit-config.yaml', 'hooks run what it names'],
  ['src/.npmrc', 'at any depth'],
  ['.GitHub/Workflows/ci.yml', 'whatever its case'],
]

export const PROTECTED = [
  ...rows(
    'protected',
    { policy: ALL },
    ...PLACES.map(
      ([path, why]) =>
        [
          `${path}: ${why}`,
          py(`os.makedirs(os.path.dirname('${path}') or '.', exist_ok=True)`, `open('${path}', 'w').write('x')`),
          stopped(path.split('/')[0] ?? ''),
        ] as const,
    ),
    [
      'in an ignored folder it is as ignored as the rest',
      py(
        "os.makedirs('node_modules/x/.github/workflows')",
        "open('node_modules/x/.npmrc', 'w').close()",
        "open('node_modules/x/.github/workflows/a.yml', 'w').close()",
      ),
      kept('+ node_modules/x/.npmrc', '+ node_modules/x/.github/workflows/a.yml'),
    ],
    ['one that exists is removed', py("os.remove('.github/workflows/ci.yml')"), undone('.github/workflows/ci.yml')],
    ['its folder is renamed', py("shutil.move('.github', 'hub')"), undone()],
    [
      'a folder is renamed to it',
      py(
        "os.makedirs('x/workflows')",
        "open('x/workflows/a.yml', 'w').close()",
        "shutil.rmtree('.github')",
        "os.rename('x', '.github')",
      ),
      stopped(),
    ],
    [
      'one named by a rule may be changed',
      py("open('.github/workflows/ci.yml', 'w').write('x')"),
      kept('~ .github/workflows/ci.yml'),
      { policy: { allow: ['Bash', 'Edit(.github/workflows/**)'] } },
    ],
    [
      'a deny by its pattern',
      py("open('docs/guide.md', 'w').write('x')"),
      undone(GUIDE),
      { policy: { ...ALL, deny: ['Edit(docs/**)'] } },
    ],
    [
      'a deny of a name anywhere',
      py("open('package.json', 'w').write('{}')"),
      undone('package.json'),
      { policy: { ...ALL, deny: ['Edit(package.json)'] } },
    ],
    [
      'a deny of Edit at all',
      py("open('src/a.js', 'w').write('')"),
      undone('src/a.js'),
      { policy: { allow: ['Bash'], deny: ['Edit'] } },
    ],
    ['no Edit rule at all', py("open('src/a.js', 'w').write('')"), undone('src/a.js'), { policy: { allow: ['Bash'] } }],
    [
      'Edit without a path',
      py("open('docs/guide.md', 'w').write('x')"),
      kept('~ docs/guide.md'),
      { policy: { allow: ['Bash', 'Edit'] } },
    ],
  ),
  ...rows(
    'the tools',
    {},
    ['Write outside', { name: 'Write', input: { file_path: 'docs/new.md', content: 'x' } }, stopped('docs/new.md')],
    ['Write inside', { name: 'Write', input: { file_path: 'src/new.js', content: 'x' } }, kept('+ src/new.js')],
    ['Write elsewhere', { name: 'Write', input: { file_path: '../outside/new', content: 'x' } }, stopped()],
    [
      'Write through a link',
      { name: 'Write', input: { file_path: 'src/d/new.md', content: 'x' } },
      stopped(),
      { prepare: ({ project }) => symlinkSync('../docs', `${project}/src/d`) },
    ],
    ['a nested repository', { name: 'Write', input: { file_path: 'src/x/.git', content: 'gitdir: ../..' } }, stopped()],
  ),
  ...rows(
    'elsewhere',
    {},
    ['a redirect', 'echo x > ../outside/new; true', only()],
    [
      'a redirect to a place of the system',
      `echo x > ${FAR}`,
      stopped(FAR),
      { also: () => (existsSync(FAR) ? `${FAR} was made` : undefined) },
    ],
    [
      'a program',
      py('try:', "  open('../outside/new', 'w').write('x')", 'except OSError as e:', '  print(e)'),
      only(),
      { watched: only('+ ../outside/new') },
    ],
    [
      'a program, an existing file',
      py('try:', "  open('../outside/keep.txt', 'w').write('x')", 'except OSError as e:', '  print(e)'),
      only(),
      { watched: only('~ ../outside/keep.txt') },
    ],
    ['home', py("open(os.path.expanduser('~/x'), 'w').write('x')"), only(), { watched: only('+ ../home/x') }],
    [
      'a login file of home',
      py("open(os.path.expanduser('~/.bashrc'), 'w').write('x')"),
      only(),
      { watched: 'see the next one' },
    ],
    [
      'a login file of home, which nothing holds: the run is blocked',
      py("open(os.path.expanduser('~/.bashrc'), 'w').write('x')"),
      only('+ ../home/.bashrc'),
      { enforced: 'home is empty there', exit: 3 },
    ],
    [
      '/etc',
      py(
        'try:',
        "  open('/etc/kode-run-test', 'w').write('x')",
        "  os.remove('/etc/kode-run-test')",
        'except OSError as e:',
        '  print(e)',
      ),
      only(),
    ],
    [
      'the folder above the checkout',
      py('try:', "  os.mkdir('../made')", 'except OSError as e:', '  print(e)'),
      only(),
      { watched: only('+ ../made') },
    ],
    [
      'the checkout itself is renamed',
      py(
        'try:',
        "  os.rename('.', '../other')",
        'except OSError as e:',
        '  print(e)',
        'try:',
        "  os.rename(os.getcwd(), os.getcwd() + '2')",
        'except OSError as e:',
        '  print(e)',
      ),
      only(),
      { watched: 'nothing holds a checkout in its place there' },
    ],
  ),
]
