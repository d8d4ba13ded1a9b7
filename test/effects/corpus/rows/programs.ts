import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kept, leftOut, type RowFolders, rows, stopped, undone } from '../EffectRow.ts'
import { js, py } from './scripts.ts'

const GUIDE = 'docs/guide.md'
const MAIN = { 'src/x.c': 'int main(void) { return 0; }\n' }
const OVERWRITE = py("open('docs/guide.md', 'w').write('x')")

/** What git ignores needs no rule, and nothing keeps it where there is no view. */
const IGNORED_LOST = /^- (?:dist|node_modules)\//

/** Programs that write where no rule lets them, under names that no reading of their words would find. */
export const PROGRAMS = [
  ...rows(
    'programs, an existing file',
    {},
    ['python', OVERWRITE, undone(GUIDE)],
    ['node', js("fs.appendFileSync('docs/guide.md', 'x')"), undone(GUIDE)],
    ['node from its words', `node -e "require('fs').writeFileSync('docs/guide.md','x')"`, stopped(GUIDE)],
    ['perl in place', "perl -pi -e 's/G/X/' docs/guide.md", undone(GUIDE)],
    ['make', 'make', undone(GUIDE)],
    [
      'npm test',
      'npm test',
      undone(GUIDE),
      { files: { 'test/a.test.js': "import fs from 'node:fs'\nfs.rmSync('docs/guide.md')\n" } },
    ],
    ['npm version', 'npm version patch --no-git-tag-version', undone('package.json')],
    ['gcc -o', 'gcc -o docs/guide.md src/x.c', undone(GUIDE), { files: MAIN }],
    ['sed -i', 'sed -i s/G/X/ docs/guide.md', stopped(GUIDE)],
    ['dd', 'dd if=src/a.js of=docs/guide.md status=none', undone(GUIDE)],
    ['truncate', 'truncate -s 0 docs/guide.md', stopped(GUIDE)],
    ['shred', 'shred -n1 docs/guide.md', undone(GUIDE)],
    ['cp over it', 'cp src/a.js docs/guide.md', stopped(GUIDE)],
    ['cp a folder over it', 'mkdir src/docs && echo x > src/docs/guide.md && cp -r src/docs .', stopped(GUIDE)],
    ['mv over it', 'mv src/a.js docs/guide.md', stopped(GUIDE)],
    ['ln -sf', 'ln -sf ../src/a.js docs/guide.md', stopped(GUIDE)],
    ['ln -f', 'ln -f src/a.js docs/guide.md', stopped(GUIDE)],
    ['rm', 'rm docs/guide.md', stopped(GUIDE)],
    ['unlink', 'unlink docs/guide.md', undone(GUIDE)],
    ['find -delete', "find . -name 'guide.md' -delete", undone(GUIDE)],
    ['tar x', 'tar xf src/p.tar', undone(GUIDE), { prepare: packed }],
    [
      'tar x elsewhere',
      'tar xf src/p.tar -C src && cp src/docs/guide.md src/g.md',
      kept('+ src/docs/guide.md', '+ src/g.md'),
      { prepare: packed },
    ],
    ['unzip', 'unzip -qo src/p.zip', undone(GUIDE), { prepare: packed }],
    ['gzip', 'gzip docs/guide.md', undone(GUIDE)],
    ['patch', 'patch -p1 < src/p.patch', undone(GUIDE), { files: { 'src/p.patch': patchOf(GUIDE, '# Guide') } }],
    ['git apply', 'git apply src/p.patch', undone(GUIDE), { files: { 'src/p.patch': patchOf(GUIDE, '# Guide') } }],
    ['chmod', 'chmod 600 docs/guide.md', stopped(GUIDE)],
    ['chmod of a folder', py("os.chmod('docs', 0o700)"), undone('docs')],
    [
      'a program of the project',
      './scripts/w.sh',
      undone(GUIDE),
      {
        prepare: ({ project }) =>
          writeFileSync(join(project, 'scripts/w.sh'), '#!/bin/sh\necho x > docs/guide.md\n', { mode: 0o755 }),
      },
    ],
    ['perl in place, with a copy', "perl -pi.bak -e 's/G/X/' docs/guide.md", undone(GUIDE)],
    ['npm pkg set', 'npm pkg set description=x', undone('package.json')],
    ['npm init', 'npm init -y --init-version 3.0.0; npm pkg set a=b', undone('package.json')],
    ['gcc -MF', 'gcc -c -MD -MF docs/guide.md -o /tmp/x.o src/x.c', undone(GUIDE), { files: MAIN }],
    ['ar', 'ar q docs/lib.a src/a.js', undone('docs/lib.a'), { files: { 'docs/lib.a': '!<arch>\n' } }],
    ['sed w', "sed -n 'w docs/guide.md' src/a.js", stopped(GUIDE)],
    ['awk', `awk '{ print > "docs/guide.md" }' src/a.js`, stopped(GUIDE)],
    ['tee', 'cat src/a.js | tee docs/guide.md', stopped(GUIDE)],
    ['sort -o', 'sort -o docs/guide.md src/a.js', stopped(GUIDE)],
    ['sort in a glued option', 'sort -uodocs/guide.md src/a.js', stopped(GUIDE)],
    ['uniq', 'uniq src/a.js docs/guide.md', stopped(GUIDE)],
    [
      'cp with a suffix',
      'echo x > src/m && cp --suffix=d -f src/m docs/guide.m',
      stopped(GUIDE),
      { files: { 'docs/guide.m': 'x', 'docs/guide.md': 'y' } },
    ],
    ['install', 'install -m 644 src/a.js docs/guide.md', stopped(GUIDE)],
    ['find -exec', "find docs -name 'g*.md' -exec sed -i s/G/X/ {} +", stopped(GUIDE)],
    ['find -fprint', 'find src -fprint docs/guide.md', stopped(GUIDE)],
    ['xargs', "grep -rl Guide . --include='*.md' | xargs sed -i s/G/X/", stopped(GUIDE)],
    ['zip', 'zip -q docs/p.zip src/a.js', undone('docs/p.zip'), { prepare: packed }],
    ['zip -m takes files away', 'zip -qm /tmp/p.zip docs/guide.md', undone(GUIDE), { landlock: '/tmp is closed' }],
    [
      'tar --remove-files',
      'tar cf /tmp/p.tar --remove-files docs/guide.md',
      undone(GUIDE),
      { landlock: '/tmp is closed' },
    ],
    [
      'gunzip',
      'gunzip -f docs/guide.md.gz',
      undone(GUIDE),
      { prepare: ({ project }) => execFileSync('gzip', ['-k', 'docs/guide.md'], { cwd: project }) },
    ],
    ['a formatter that fixes all it finds', fixer('docs/guide.md', 'src/a.js'), undone(GUIDE)],
    ['a formatter that fixes what it may', fixer('src/a.js', 'src/b.js'), kept('~ src/a.js', '~ src/b.js')],
    ['a shell function', 'f() { echo x > "$1"; }; f docs/guide.md', stopped(GUIDE)],
    ['a path that is made when it runs', 'p=$(printf docs/%s guide.md); echo x > "$p"', stopped()],
    ['after cd', 'cd src && cd ../docs && echo x > guide.md', stopped('guide.md')],
    ['through a link of the line', 'ln -s ../docs src/d && echo x > src/d/guide.md', stopped(GUIDE)],
    [
      'through a link that lies there',
      py("os.symlink('../docs', 'src/d')", "open('src/d/guide.md', 'w').write('x')"),
      undone(GUIDE),
    ],
    ['in the background of the line', { ...OVERWRITE, line: 'python3 src/w.py & wait' }, undone(GUIDE)],
    ['while it fails', { ...OVERWRITE, line: 'python3 src/w.py; exit 4' }, undone(GUIDE), { shows: '4' }],
    [
      'until its timeout',
      { name: 'Bash', input: { command: 'python3 src/w.py; sleep 60', timeout: 1500 } },
      undone(GUIDE),
      { files: OVERWRITE.files },
    ],
    [
      'the rest is undone too',
      { ...OVERWRITE, line: 'echo x > src/new.js; rm src/b.js; python3 src/w.py' },
      undone(GUIDE),
    ],
    ['everything', 'rm -rf ./*', stopped(), { tolerates: IGNORED_LOST }],
    [
      'everything, by a program',
      py(
        "for n in os.listdir('.'):",
        '  try:',
        '    shutil.rmtree(n, True) if os.path.isdir(n) else os.remove(n)',
        '  except OSError as e: print(e)',
      ),
      undone(),
      { tolerates: IGNORED_LOST },
    ],
    ['a folder made anew', py("shutil.rmtree('docs')", "os.mkdir('docs')"), undone(GUIDE)],
    [
      'a folder made anew with the same names',
      py("shutil.rmtree('docs')", "os.mkdir('docs')", "open('docs/guide.md', 'w').write('x')"),
      undone(),
    ],
    ['a folder renamed', py("shutil.move('docs', 'src/docs')"), undone('docs')],
    [
      'a folder replaced by a link',
      py("shutil.move('docs', 'src/docs')", "os.symlink('src/docs', 'docs')"),
      undone('docs'),
    ],
    ['a file replaced by a folder', py("os.remove('docs/guide.md')", "os.mkdir('docs/guide.md')"), undone(GUIDE)],
    ['moved out of what may change', py("os.rename('src/b.js', 'docs/b.js')"), undone()],
    ['a covered folder moved to where no rule covers it', py("shutil.move('src/lib', 'lib')"), undone()],
    [
      'moved out of what may change, and changed on the way',
      "sed 's/2/9/' src/b.js > docs/b.js && rm src/b.js",
      undone('src/b.js'),
    ],
    [
      'packed where no rule covers it, then removed',
      'tar cf old.tar src/lib && rm -rf src/lib',
      undone('src/lib/util.js'),
    ],
  ),
  ...rows(
    'programs, a new file',
    {},
    ['npm pack', 'npm pack --silent', leftOut(['small-1.0.0.tgz'])],
    [
      'a report',
      js("fs.writeFileSync('junit.xml', '<x/>')", "fs.appendFileSync('src/a.js', '//')"),
      leftOut(['junit.xml'], '~ src/a.js'),
    ],
    [
      'a folder with five hundred files',
      js(
        "fs.mkdirSync('report')",
        "for (let i = 0; i < 500; i++) fs.writeFileSync(`report/a-rather-long-name-${i}.html`, '')",
      ),
      leftOut(['report']),
    ],
    ['a cache', js("fs.writeFileSync('.eslintcache', '{}')"), leftOut(['.eslintcache'])],
    ['split', 'split -n 3 src/a.js', leftOut(['xaa'])],
    ['gcc without -o', 'gcc src/x.c', leftOut(['a.out']), { files: MAIN }],
    [
      'a database',
      py('import sqlite3', "c = sqlite3.connect('data.sqlite')", "c.execute('create table t (a)')", 'c.commit()'),
      leftOut(['data.sqlite']),
    ],
    ['mktemp here', 'mktemp -p docs g.XXXXXX', leftOut(['docs/g.'])],
    ['tar c', 'tar czf backup.tgz src', leftOut(['backup.tgz'])],
    ['zip', 'zip -qr all.zip src', leftOut(['all.zip'])],
    ['a copy that a program made', py("shutil.copy('src/a.js', 'docs/copy.js')"), leftOut(['docs/copy.js'])],
    ['a lock file', py("open('poetry.lock', 'w').write('x')"), leftOut(['poetry.lock'])],
    ['an empty folder', py("os.mkdir('reports')"), leftOut(['reports'])],
    [
      'beside a file that was renamed inside',
      'mv src/b.js src/c.js && echo ok > report.txt',
      leftOut(['report.txt'], '- src/b.js', '+ src/c.js'),
    ],
    ['a link', py("os.symlink('src', 'latest')"), leftOut(['latest'])],
    [
      'beside what may change',
      py("os.mkdir('src2')", "open('src2/x.js', 'w').close()", "open('src/x.js', 'w').close()"),
      leftOut(['src2'], '+ src/x.js'),
    ],
  ),
]

/** A tar and a zip in `src` that hold another `docs/guide.md`; `docs/p.zip`. */
function packed({ project, outside }: RowFolders): void {
  const run = (program: string, ...words: string[]) => execFileSync(program, words, { cwd: outside, stdio: 'ignore' })
  run('mkdir', 'docs')
  writeFileSync(join(outside, 'docs/guide.md'), 'other\n')
  run('tar', 'cf', join(project, 'src/p.tar'), 'docs/guide.md')
  run('zip', '-q', join(project, 'src/p.zip'), 'docs/guide.md')
  run('zip', '-q', join(project, 'docs/p.zip'), 'docs/guide.md')
  run('rm', '-r', 'docs')
}

function patchOf(path: string, line: string): string {
  return `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${line}\n+other\n`
}

function fixer(...files: readonly string[]) {
  return js(...files.map((file) => `fs.appendFileSync('${file}', '\\n')`))
}
