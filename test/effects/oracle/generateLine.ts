import type { Random } from '../../helpers/oracle/random.ts'

const FOLDERS = [
  ...['src', 'src/lib', 'test', 'docs', 'docs/deep', 'conf', 'dist', 'node_modules/dep', '.', '.github', 'new'],
  ...['src/new', 'docs/new'],
]
const NAMES = [
  ...['a.js', 'b.js', 'util.js', 'guide.md', 'page.md', 'index.js', 'old.js', 'package.json', 'x y', '-n', 'k.log'],
  ...['n1', 'n2', '\u00fc'],
]
const FILES = [
  ...['src/a.js', 'src/b.js', 'src/lib/util.js', 'test/a.test.js', 'docs/guide.md', 'docs/api.md'],
  ...['docs/deep/page.md', 'package.json', 'README.md', 'dist/old.js', 'node_modules/dep/index.js', '.gitignore'],
  ...['conf/public.yml', '.github/workflows/ci.yml', '.env'],
]
const TREES = ['src/lib', 'docs/deep', 'dist', 'src', 'docs', 'node_modules', 'test', 'src/new', 'new', 'conf']
const BRANCHES = ['main', 'inside', 'outside', 'HEAD', 'HEAD~1', 'v1', 'topic']

/** A line of commands that change files, links, modes, folders and a repository; nothing in it leaves the project. */
export function generateLine(random: Random): string {
  const commands = Array.from({ length: 1 + random.below(4) }, () => generateCommand(random))
  return commands.reduce((line, command) => `${line}${random.pick(['; ', '; ', ' && ', ' || ', '\n'])}${command}`)
}

function generateCommand(random: Random): string {
  const one = random.pick(random.below(3) === 0 ? GIT : PLAIN)(random)
  return random.below(12) === 0 ? random.pick(WRAPPED)(one, random) : one
}

const WRAPPED: readonly ((command: string, random: Random) => string)[] = [
  (command, random) => `(cd ${quoted(random.pick(TREES))} && ${command})`,
  (command) => `for i in 1 2; do ${command}; done`,
  (command) => `(${command}) & wait`,
  (command) => `if true; then ${command}; fi`,
  (command) => `sh -c '${command.replaceAll("'", `'\\''`)}'`,
]

function file(random: Random): string {
  if (random.below(3) > 0) return quoted(random.pick(FILES))
  return quoted(`${random.pick(FOLDERS)}/${random.pick(NAMES)}`)
}
const tree = (random: Random): string => quoted(random.pick(TREES))
const any = (random: Random): string => (random.below(3) === 0 ? tree(random) : file(random))

/** With `./` before it, a name is no option. */
function quoted(path: string): string {
  return `'./${path.replace(/^\.\//, '')}'`
}

type Make = (random: Random) => string

const PLAIN: readonly Make[] = [
  (r) => `echo ${r.below(9)} > ${file(r)}`,
  (r) => `echo ${r.below(9)} >> ${file(r)}`,
  (r) => `: > ${file(r)}`,
  (r) => `sed -i 's/a/${r.below(9)}/' ${file(r)}`,
  (r) => `rm -f ${file(r)}`,
  (r) => `rm -rf ${any(r)}`,
  (r) => `mv ${any(r)} ${any(r)}`,
  (r) => `mv -T ${any(r)} ${any(r)}`,
  (r) => `cp ${file(r)} ${file(r)}`,
  (r) => `cp -r ${any(r)} ${any(r)}`,
  (r) => `cp -aT ${any(r)} ${any(r)}`,
  (r) => `mkdir -p ${tree(r)}`,
  (r) => `mkdir -p ${file(r)}`,
  (r) => `rm -rf ${tree(r)} && mkdir ${tree(r)}`,
  (r) => {
    const t = tree(r)
    return `rm -rf ${t} && mkdir ${t} && echo x > ${t}/n1`
  },
  (r) => {
    const t = tree(r)
    return `mv -T ${t} ./tmpd; mv -T ./tmpd ${t}`
  },
  (r) => {
    const f = file(r)
    return `cp ${f} ./tmpf; mv ./tmpf ${f}`
  },
  (r) => `touch ${file(r)}`,
  (r) =>
    `ln -s ${r.pick(['a.js', '../docs/guide.md', '../../outside', '/etc/passwd', '.', '../src', 'nowhere'])} ${file(r)}`,
  (r) => `ln -sfT ${r.pick(['../docs', '../src', 'lib', '../../..'])} ${any(r)}`,
  (r) => `ln -f ${file(r)} ${file(r)}`,
  (r) => `chmod ${r.pick(['600', '644', '755', '+x', 'u+s', 'g+s', '000', 'u+w'])} ${any(r)}`,
  (r) => `find ${tree(r)} -name '*.${r.pick(['js', 'md'])}' -delete`,
  (r) => `perl -e 'open F, ">", ${file(r).replaceAll("'", '"')}; print F ${r.below(9)}'`,
  // It says why it failed: what a view cannot do is no loss.
  (r) => `perl -e 'rename ${any(r).replaceAll("'", '"')}, ${any(r).replaceAll("'", '"')} or warn $!'`,
  (r) => `perl -e 'symlink "../docs", ${file(r).replaceAll("'", '"')}; unlink ${file(r).replaceAll("'", '"')}'`,
  (r) => `tar cf ./dist/t.tar ${any(r)} && rm -rf ${any(r)} && tar xf ./dist/t.tar; rm -f ./dist/t.tar`,
  (r) => `mkfifo ${file(r)}`,
  (r) => `truncate -s ${r.below(20)} ${file(r)}`,
  (r) =>
    `printf '${r.pick(['*', 'n1', 'new/', '!src', 'docs/', '*.js'])}\\n' >> ${r.pick(['./.gitignore', './src/.gitignore', './docs/.gitignore'])}`,
  (r) => `mkdir -p ${tree(r)}/.git`,
  (r) => `echo 'gitdir: ../x' > ${tree(r)}/.git`,
  (r) => `install -m ${r.pick(['644', '755', '4755'])} ${file(r)} ${file(r)}`,
  (r) => `split -n 2 ${file(r)} ${tree(r)}/s`,
  (r) => `gzip -f ${file(r)}`,
]

const GIT: readonly Make[] = [
  (r) => `git add ${any(r)}`,
  () => 'git add -A',
  () => 'git commit -qam x',
  () => 'git commit -qm x',
  () => 'git commit -q --amend -m y',
  (r) => `git mv -f ${any(r)} ${any(r)}`,
  (r) => `git rm -rqf ${any(r)}`,
  (r) => `git rm -rq --cached ${any(r)}`,
  (r) => `git checkout -qf ${r.pick(BRANCHES)}`,
  (r) => `git checkout -q ${r.pick(BRANCHES)} -- ${any(r)}`,
  (r) => `git reset -q ${r.pick(['--soft', '--mixed', '--hard'])} ${r.pick(BRANCHES)}`,
  (r) => `git restore ${any(r)}`,
  (r) => `git merge -q ${r.pick(BRANCHES)}`,
  (r) => `git cherry-pick -q ${r.pick(BRANCHES)}; git cherry-pick --abort`,
  () => 'git stash -q',
  () => 'git stash pop -q',
  (r) => `git switch -qc ${r.pick(['topic', 'other'])}`,
  (r) => `git branch -f ${r.pick(['topic', 'inside'])} ${r.pick(BRANCHES)}`,
  (r) => `git update-ref refs/heads/${r.pick(['main', 'topic'])} ${r.pick(BRANCHES)}`,
  (r) => `git clean -fdq ${tree(r)}`,
  () => 'git gc -q',
  () => 'git pack-refs --all',
  (r) => `git tag -f t ${r.pick(BRANCHES)}`,
  (r) => `git init -q ${tree(r)}`,
  (r) => `git config core.x ${r.below(9)}`,
  (r) => `git update-index --add --cacheinfo "100644,$(git rev-parse HEAD:src/a.js),${r.pick(FILES)}"`,
  (r) => `git status > ${file(r)}`,
  (r) => `git apply --index ${file(r)}`,
  (r) => `git symbolic-ref HEAD refs/heads/${r.pick(['inside', 'outside', 'topic', 'none'])}`,
  (r) => `git read-tree ${r.pick(['', '-m -u', '--prefix=new/'])} ${r.pick(['HEAD:src', 'outside', 'inside'])}`,
]
