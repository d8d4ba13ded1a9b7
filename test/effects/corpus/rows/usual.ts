import { kept, leftOut, only, rows, series, together } from '../EffectRow.ts'
import { py } from './scripts.ts'

/** What an agent does all day, and what must go through. */
export const USUAL = [
  ...rows(
    'usual',
    {},
    ['a new file', 'echo x > src/new.js', kept('+ src/new.js'), { holds: { 'src/new.js': 'x\n' } }],
    [
      'a file changed in place',
      "sed -i 's/1/9/' src/a.js",
      kept('~ src/a.js'),
      { holds: { 'src/a.js': 'export const a = 9\n' } },
    ],
    ['a file appended to', 'echo "// end" >> src/a.js', kept('~ src/a.js')],
    ['a file removed', 'rm src/b.js', kept('- src/b.js')],
    ['a file renamed', 'mv src/b.js src/c.js', kept('- src/b.js', '+ src/c.js')],
    ['a file renamed to another case', 'mv src/a.js src/A.js', kept('- src/a.js', '+ src/A.js')],
    ['a folder renamed', 'mv src/lib src/library', kept('- src/lib/util.js', '+ src/library/util.js')],
    // A view cannot rename a folder of the checkout, and the model is told what does.
    [
      'a folder renamed by git',
      'git mv src/lib src/library; true',
      only(),
      { shows: 'Use `mv OLD NEW`', watched: 'the checkout itself can' },
    ],
    [
      'a folder renamed as the model is told to',
      'mv src/lib src/library && git add -A src',
      kept(
        '- src/lib/util.js',
        '+ src/library/util.js',
        '- git:index/src/lib/util.js',
        '+ git:index/src/library/util.js',
      ),
    ],
    [
      'a new folder renamed by a program',
      "mkdir src/n && touch src/n/f && node -e \"fs.renameSync('src/n', 'src/m')\"",
      kept('+ src/m/f'),
    ],
    ['a folder copied', 'cp -r src/lib src/lib2', kept('+ src/lib2/util.js')],
    ['a folder removed', 'rm -rf src/lib', kept('- src/lib/util.js')],
    ['folders in folders', 'mkdir -p src/x/y/z && echo 1 > src/x/y/z/f.js', kept('+ src/x/y/z/f.js')],
    ['an empty folder', 'mkdir src/empty', kept('+ src/empty')],
    ['an empty file', 'touch src/none.js', kept('+ src/none.js')],
    ['a mode', 'chmod +x src/a.js', kept('m src/a.js')],
    ['a new program', 'printf "#!/bin/sh\\n" > src/run && chmod 755 src/run', kept('+ src/run')],
    ['a link inside', 'ln -s a.js src/link.js', kept('+ src/link.js')],
    ['a link up and down again', 'ln -s ../docs/guide.md src/guide.md', kept('+ src/guide.md')],
    ['a link that leads nowhere yet', 'ln -s later.js src/soon.js', kept('+ src/soon.js')],
    [
      'a script writes',
      'node src/gen.js',
      kept('+ src/made.js'),
      { files: { 'src/gen.js': "import fs from 'node:fs'\nfs.writeFileSync('src/made.js', '1')\n" } },
    ],
    ['make writes', 'make safe', kept('+ src/made.js'), {}],
    [
      'a test writes',
      'npm test',
      kept('+ test/out.txt'),
      { files: { 'test/a.test.js': "import fs from 'node:fs'\nfs.writeFileSync('test/out.txt', '1')\n" } },
    ],
    ['the exit code stays', 'echo x > src/new.js; exit 3', kept('+ src/new.js'), { shows: '3' }],
    [
      'what it printed stays',
      'echo hello; echo x > src/new.js; echo world >&2',
      kept('+ src/new.js'),
      { shows: /hello[\s\S]*world/ },
    ],
    ['nothing changed', 'cat src/a.js && ls docs && grep -rn const src', kept(), { shows: 'export const a' }],
    ['a folder becomes a file', 'rm -rf src/lib && echo x > src/lib', kept('~ src/lib', '- src/lib/util.js')],
    [
      'a file becomes a folder',
      'rm src/a.js && mkdir src/a.js && echo x > src/a.js/x',
      kept('~ src/a.js', '+ src/a.js/x'),
    ],
    [
      'a folder made anew',
      'rm -rf src/lib && mkdir src/lib && echo 1 > src/lib/new.js',
      kept('- src/lib/util.js', '+ src/lib/new.js'),
    ],
    [
      'a folder made anew as it was',
      'cp -rT src/lib dist/lib && rm -rf src/lib && cp -rT dist/lib src/lib && rm -rf dist/lib',
      kept(),
    ],
    ['a folder moved away and back', 'mv docs dist/docs && mv dist/docs docs', kept()],
    ['the mode that it has', 'chmod 755 scripts/tool.sh && chmod -R u+w docs', kept()],
    ['the text that it has', py("p = 'docs/guide.md'", 't = open(p).read()', "open(p, 'w').write(t)"), kept()],
    ['a file made and removed', py("open('docs/x', 'w').close()", "os.remove('docs/x')"), kept()],
    ['a background process of the line that ends', '(echo x > src/new.js) & wait', kept('+ src/new.js')],
    [
      'a command that fails in the middle',
      'set -e; echo x > src/new.js; false; echo x > src/never.js',
      kept('+ src/new.js'),
    ],
    [
      'cut by its timeout',
      { name: 'Bash', input: { command: 'echo x > src/new.js; sleep 60', timeout: 1500 } },
      kept('+ src/new.js'),
    ],
    ['a file of ten megabytes', 'head -c 10000000 /dev/zero > src/big.bin', kept('+ src/big.bin')],
    [
      'a hundred files',
      'for i in $(seq 100); do echo $i > src/f$i.js; done; rm src/f[0-9]*.js; echo x > src/one.js',
      kept('+ src/one.js'),
    ],
  ),
  series(
    'usual',
    'a call sees what the one before changed',
    [
      ['echo one > src/new.js', kept('+ src/new.js')],
      ['cat src/new.js && echo two >> src/new.js', kept()],
      ['cat src/new.js', kept()],
    ],
    { holds: { 'src/new.js': 'one\ntwo\n' }, shows: /one\ntwo/ },
  ),
  series(
    'usual',
    'Edit and Bash by turns',
    [
      [{ name: 'Read', input: { file_path: 'src/a.js' } }, kept()],
      [{ name: 'Edit', input: { file_path: 'src/a.js', old_string: '= 1', new_string: '= 5' } }, kept('~ src/a.js')],
      ["sed -i 's/5/6/' src/a.js", kept()],
      ['cat src/a.js', kept()],
    ],
    { holds: { 'src/a.js': 'export const a = 6\n' } },
  ),
  series(
    'usual',
    'the own folder for temporary files lasts',
    [
      ['echo kept > /tmp/f; echo home > ~/f', kept()],
      ['cat /tmp/f ~/f', kept()],
    ],
    { shows: /kept\nhome/, watched: 'it is the real one' },
  ),
  together(
    'usual',
    'two that write in one message, in their order',
    [
      ['echo a > src/one.js', kept('+ src/one.js')],
      ['cat src/one.js > src/two.js', kept('+ src/two.js')],
    ],
    { holds: { 'src/two.js': 'a\n' } },
  ),
  together('usual', 'many that read in one message', [
    ['cat src/a.js', kept()],
    ['cat src/b.js', kept()],
    ['grep -rn const src', kept()],
    ['ls docs', kept()],
    ['wc -l README.md', kept()],
  ]),
  together(
    'usual',
    'Write and Bash in one message',
    [
      [{ name: 'Write', input: { file_path: 'src/one.js', content: 'a\n' } }, kept('+ src/one.js')],
      ['cat src/one.js > src/two.js', kept('+ src/two.js')],
    ],
    { holds: { 'src/two.js': 'a\n' } },
  ),
  series(
    'usual',
    'a file left out does not keep the next call from its work',
    [
      ['python3 src/both.py', leftOut(['report.xml'], '~ src/a.js')],
      ['ls; echo x > src/new.js', kept('+ src/new.js')],
    ],
    { files: { 'src/both.py': "open('report.xml', 'w').write('x')\nopen('src/a.js', 'a').write('//')\n" } },
  ),
]
