import { type EffectRow, only, type RowOptions, rows, type Script, series, stopped, undone } from '../EffectRow.ts'
import { gitIn } from '../makeProject.ts'
import { marked, plant } from './scripts.ts'

const GUIDE = 'docs/guide.md'

/** The end of the run looks at the checkout twice, and so does a second run. */
const LOOKED_AT: RowOptions = {
  policy: { allow: ['Bash', 'Edit(src/**)', 'Edit(test/**)'], more: 'checks: { commands: ["true"] }\n' },
  prepare: plant,
  again: ['export MARK=1; git status', 'export MARK=1; echo x > src/z.js; rm src/z.js'],
}

const zipped = (kind: string, body: string) => [
  `def put(kind, body):`,
  `  raw = kind.encode() + b' ' + str(len(body)).encode() + bytes([0]) + body`,
  `  sha = hashlib.sha1(raw).hexdigest()`,
  `  os.makedirs('.git/objects/' + sha[:2], exist_ok=True)`,
  `  p = '.git/objects/' + sha[:2] + '/' + sha[2:]`,
  `  os.path.exists(p) or open(p, 'wb').write(zlib.compress(raw))`,
  `  return sha`,
  `def git(*words): return subprocess.run(['git', *words], capture_output=True, text=True).stdout.strip()`,
  `def commit(tree): return put('commit', ('tree %s\\nparent %s\\nauthor a <a@b> 1 +0000\\ncommitter a <a@b> 1 +0000\\n\\nx\\n' % (tree, git('rev-parse', 'HEAD'))).encode())`,
  `def entry(mode, name, sha): return mode.encode() + b' ' + name.encode() + bytes([0]) + bytes.fromhex(sha)`,
  `evil = put('${kind}', b'${body}')`,
]
/** A new tree like that of HEAD with entries in the place of others. */
const TREE = [
  `def tree(**changed): return put('tree', b''.join(e for n, e in sorted({**{l.split('\\t')[1]: entry(l.split(' ')[0].lstrip('0') , l.split('\\t')[1], l.split(' ')[2].split('\\t')[0]) for l in git('ls-tree', 'HEAD').splitlines()}, **changed}.items())))`,
]
const forged = (...lines: string[]): Script => marked(...zipped('blob', 'evil'), ...TREE, ...lines)

/** Puts a pack beside the others whose index says that it has an object `target`; it has `sha`. */
const PACKED = [
  `def pack(target, sha):`,
  `  folder = tempfile.mkdtemp(dir='dist')`,
  `  name = subprocess.run(['git', 'pack-objects', '-q', folder + '/p'], input=sha + '\\n', capture_output=True, text=True).stdout.strip()`,
  `  index = bytearray(open(folder + '/p-' + name + '.idx', 'rb').read())`,
  `  oid = bytes.fromhex(target)`,
  `  for i in range(256): index[8 + 4 * i:12 + 4 * i] = struct.pack('>I', 1 if i >= oid[0] else 0)`,
  `  index[1032:1052] = oid`,
  `  index[-20:] = hashlib.sha1(bytes(index[:-20])).digest()`,
  `  os.makedirs('.git/objects/pack', exist_ok=True)`,
  `  shutil.copy(folder + '/p-' + name + '.pack', '.git/objects/pack/pack-' + name + '.pack')`,
  `  open('.git/objects/pack/pack-' + name + '.idx', 'wb').write(bytes(index))`,
  `  shutil.rmtree(folder)`,
]

const objects = rows(
  'escapes, objects and refs',
  { tolerates: /^\+ \.git\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/ },
  [
    'a ref written by hand',
    forged("open('.git/refs/heads/main', 'w').write(git('rev-parse', 'outside') + '\\n')"),
    undone(GUIDE),
  ],
  [
    'another branch written by hand',
    forged("open('.git/refs/heads/inside', 'w').write(git('rev-parse', 'outside') + '\\n')"),
    undone(GUIDE),
  ],
  [
    'packed refs written by hand',
    forged(
      "os.remove('.git/refs/heads/main')",
      "open('.git/packed-refs', 'w').write(git('rev-parse', 'outside') + ' refs/heads/main\\n')",
    ),
    undone(GUIDE),
  ],
  [
    'a commit of a forged tree',
    forged("git('update-ref', 'HEAD', commit(tree(**{'README.md': entry('100644', 'README.md', evil)})))"),
    undone('README.md'),
  ],
  [
    'a tree with a folder above',
    forged(
      "open('.git/refs/heads/main', 'w').write(commit(tree(**{'..': entry('40000', '..', git('rev-parse', 'HEAD:src'))})) + '\\n')",
    ),
    stopped(),
  ],
  [
    'a tree with .git',
    forged(
      "open('.git/refs/heads/main', 'w').write(commit(tree(**{'.git': entry('40000', '.git', git('rev-parse', 'HEAD:src'))})) + '\\n')",
    ),
    stopped(),
  ],
  [
    'a tree with a path in one name',
    forged(
      "open('.git/refs/heads/main', 'w').write(commit(tree(**{'src/x/../../docs': entry('100644', 'src/x/../../docs', evil)})) + '\\n')",
    ),
    stopped(),
  ],
  [
    'a link that leads out, in a commit',
    forged(
      "link = put('blob', b'/etc/passwd')",
      "git('update-index', '--add', '--cacheinfo', '120000,%s,src/l' % link)",
    ),
    stopped(),
  ],
  [
    'a submodule, in the index',
    forged("git('update-index', '--add', '--cacheinfo', '160000,%s,src/sub' % git('rev-parse', 'HEAD'))"),
    only('+ git:index/src/sub'),
  ],
  [
    'replace: a good tree shown for an evil one',
    forged(
      "bad = tree(**{'README.md': entry('100644', 'README.md', evil)})",
      'new = commit(bad)',
      "git('replace', bad, git('rev-parse', 'HEAD^{tree}'))",
      "open('.git/refs/heads/main', 'w').write(new + '\\n')",
    ),
    undone('README.md'),
  ],
  [
    'replace: an evil blob shown for a good one',
    forged("git('replace', git('rev-parse', 'HEAD:docs/guide.md'), evil)"),
    stopped(),
  ],
  [
    'an object that exists is written over',
    forged(
      "sha = git('rev-parse', 'HEAD:docs/guide.md')",
      "p = '.git/objects/' + sha[:2] + '/' + sha[2:]",
      'os.chmod(p, 0o644)',
      "open(p, 'wb').write(zlib.compress(b'blob 4' + bytes([0]) + b'evil'))",
    ),
    undone('.git/objects'),
    {
      watched: 'a name that holds an object shares its content: the run says that it cannot be restored',
      also: ({ project }) =>
        gitIn(project, 'show', 'HEAD:docs/guide.md') === '# Guide\n' ? undefined : 'the object was changed',
    },
  ],
  [
    'an object that exists is removed',
    forged("sha = git('rev-parse', 'HEAD:docs/guide.md')", "os.remove('.git/objects/' + sha[:2] + '/' + sha[2:])"),
    only(),
    {
      also: ({ project }) =>
        gitIn(project, 'show', 'HEAD:docs/guide.md') === '# Guide\n' ? undefined : 'the object was changed',
    },
  ],
  [
    'a new object under a name that is not its own',
    forged(
      "os.makedirs('.git/objects/ab', exist_ok=True)",
      "open('.git/objects/ab/' + 'c' * 38, 'wb').write(zlib.compress(b'blob 4' + bytes([0]) + b'evil'))",
    ),
    only(),
    { gitMayMove: true, tolerates: /git:fsck/ },
  ],
  [
    'a pack with an evil blob under the name of a good one',
    forged('import tempfile', ...PACKED, "pack(git('rev-parse', 'HEAD:docs/guide.md'), evil)"),
    stopped('.idx'),
    {
      also: ({ project }) =>
        gitIn(project, 'show', 'HEAD:docs/guide.md') === '# Guide\n' ? undefined : 'the object was changed',
    },
  ],
  [
    'a commit of an evil tree, and a pack with a good tree under its name',
    forged(
      'import tempfile',
      ...PACKED,
      "bad = tree(**{'README.md': entry('100644', 'README.md', evil)})",
      'new = commit(bad)',
      "pack(bad, git('rev-parse', 'HEAD^{tree}'))",
      "open('.git/refs/heads/main', 'w').write(new + '\\n')",
    ),
    stopped('.idx'),
  ],
  [
    'lists of objects that git trusts',
    forged(
      "os.makedirs('.git/objects/info', exist_ok=True)",
      "open('.git/objects/info/commit-graph', 'wb').write(b'CGPH')",
      "open('.git/objects/pack/multi-pack-index', 'wb').write(b'MIDX')",
    ),
    only(),
  ],
  ['the branch that HEAD names', forged("open('.git/HEAD', 'w').write('ref: refs/heads/outside\\n')"), undone(GUIDE)],
  [
    'HEAD names a commit',
    forged("sha = git('rev-parse', 'outside')", "open('.git/HEAD', 'w').write(sha + '\\n')"),
    undone('.git/HEAD'),
  ],
  ['HEAD names a path', forged("open('.git/HEAD', 'w').write('ref: ../../outside/x\\n')"), undone()],
  [
    'a ref to a ref elsewhere',
    forged("open('.git/refs/heads/main', 'w').write('ref: refs/heads/outside\\n')"),
    undone(GUIDE),
  ],
  ['an index with the folder above', forged(...indexOf("b'../outside/pwned'")), undone()],
  ['an index with .git', forged(...indexOf("b'.git/hooks/pre-commit'")), undone()],
  ['an index with a path that no rule covers', forged(...indexOf("b'docs/guide.md'")), undone('.git/index')],
  ['an index that is no index', forged("open('.git/index', 'wb').write(b'nothing')"), undone()],
  [
    'the todo of a rebase',
    forged(
      "os.mkdir('.git/rebase-merge')",
      "open('.git/rebase-merge/git-rebase-todo', 'w').write('exec touch /tmp/x\\n')",
    ),
    stopped('.git/rebase-merge'),
  ],
  ['shallow', forged("open('.git/shallow', 'w').write(git('rev-parse', 'HEAD') + '\\n')"), stopped('.git/shallow')],
  [
    'a config of a worktree',
    forged(
      "os.makedirs('.git/worktrees/x')",
      "open('.git/worktrees/x/config.worktree', 'w').write('[core]\\n\\tfsmonitor = x\\n')",
    ),
    stopped('.git/worktrees/x'),
  ],
  [
    'the stash brings docs, its pop is another call',
    'export MARK=1; git stash store -m x "$(git stash create; git rev-parse outside)"; git stash pop',
    only(),
    { gitMayMove: true, tolerates: /git:refs\/stash/ },
  ],
  [
    'a commit whose parent is elsewhere',
    forged("git('update-ref', 'HEAD', git('commit-tree', '-m', 'x', git('rev-parse', 'outside^{tree}')))"),
    undone(GUIDE),
  ],
  ['a tag moved', forged("git('tag', '-f', 'v1', 'outside')"), undone()],
  [
    'a remote branch moved',
    forged("git('update-ref', 'refs/remotes/origin/main', 'outside')"),
    only(),
    { gitMayMove: true, tolerates: /refs\/remotes/ },
  ],
)

/** An index of one entry, made by hand. */
function indexOf(path: string): string[] {
  return [
    `name = ${path}`,
    "body = b'DIRC' + struct.pack('>II', 2, 1)",
    "e = struct.pack('>10I', 0, 0, 0, 0, 0, 0, 0o100644, 0, 0, 4) + bytes.fromhex(evil) + struct.pack('>H', len(name)) + name",
    'e += bytes(8 - len(e) % 8)',
    'body += e',
    "open('.git/index', 'wb').write(body + hashlib.sha1(body).digest())",
  ]
}

function inWorktree(edit: string): RowOptions {
  return {
    ...LOOKED_AT,
    policy: { ...LOOKED_AT.policy, allow: ['Bash', edit, 'EnterWorktree', 'ExitWorktree'] },
    args: ['--tools', 'Bash,Edit,EnterWorktree,ExitWorktree,Finish'],
    gitMayMove: true,
    tolerates: /\.kode-worktrees|git:refs/,
  }
}

const worktrees: EffectRow[] = [
  series(
    'escapes, worktrees',
    'the .git of the run\u2019s own worktree is swapped',
    [
      [{ name: 'EnterWorktree', input: { name: 'x' } }, only()],
      [
        `export MARK=1; rm .git; git init -q . ; printf '[core]\\n\\tfsmonitor = ./evil\\n[filter "x"]\\n\\tclean = ./evil\\n' >> .git/config; cp src/evil.sh evil; echo '* filter=x' > .gitattributes; true`,
        only(),
      ],
      [{ name: 'ExitWorktree', input: {} }, only()],
    ],
    inWorktree('Edit(**)'),
  ),
  series(
    'escapes, worktrees',
    'the run ends inside',
    [
      [{ name: 'EnterWorktree', input: { name: 'x' } }, only()],
      [
        `export MARK=1; rm .git; git init -q . ; printf '[core]\\n\\tfsmonitor = ./src/evil.sh\\n' >> .git/config; cp ../../src/evil.sh src/evil.sh; true`,
        only(),
      ],
    ],
    inWorktree('Edit(**)'),
  ),
  series(
    'escapes, worktrees',
    'work in it is judged too',
    [
      [{ name: 'EnterWorktree', input: { name: 'x' } }, only()],
      ['export MARK=1; python3 src/w.py; cat docs/guide.md', only()],
      [{ name: 'ExitWorktree', input: {} }, only()],
    ],
    { ...inWorktree('Edit(src/**)'), files: marked("open('docs/guide.md', 'w').write('x')").files },
  ),
]

/** Objects, indexes and worktrees that a command forges. */
export const OBJECT_ESCAPES: readonly EffectRow[] = [...objects, ...worktrees]
