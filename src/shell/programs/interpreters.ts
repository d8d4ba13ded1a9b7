import { type Program, program } from './Program.ts'

/** Interpreters, test runners and linters that load code which their options name. */
export const interpreters: readonly Program[] = [
  {
    names: 'node nodejs tsx ts-node electron',
    isInterpreter: true,
    isExact: true,
    valued: '-C --conditions --title --test-name-pattern --test-reporter-destination',
    starts: [
      {
        in: '',
        options:
          '-r -e -p --require --import --loader --experimental-loader --eval --print --env-file --experimental-default-config-file --experimental-config-file --openssl-config --snapshot-blob --build-snapshot --test-global-setup --run',
      },
      { in: '', options: '--test-reporter', value: /[./:]/ },
      { in: '', words: /^(?:inspect)$/ },
    ],
  },
  {
    names: 'deno',
    isInterpreter: true,
    starts: [
      { options: '--import-map --preload --config -c --node-modules-dir' },
      { in: 'eval|task|repl|install', any: true },
    ],
  },
  program('bun', '-r -e -p -c --preload --require --import --eval --print --config --shell --bun', {
    isInterpreter: true,
    isExact: true,
  }),
  {
    names: 'python python2 python3 pypy pypy3',
    isInterpreter: true,
    valued: '-W -X --check-hash-based-pycs',
    ends: '-m -c',
    starts: [{ in: '', options: '-c -m' }],
  },
  {
    names: 'ruby irb',
    isInterpreter: true,
    starts: [{ in: '', options: '-e -r -I -S -x -C' }],
  },
  {
    names: 'perl',
    isInterpreter: true,
    starts: [{ in: '', options: '-e -E -I -M -m -d -x -S -s' }],
  },
  {
    names: 'php',
    isInterpreter: true,
    starts: [
      {
        in: '',
        options:
          '-r -c -d -B -R -E -F -z -f --run --define --php-ini --zend-extension --process-begin --process-code --process-file --process-end',
      },
    ],
  },
  { names: 'lua luajit groovy', isInterpreter: true, starts: [{ in: '', options: '-e -l -i' }] },
  {
    names: 'R Rscript julia',
    isInterpreter: true,
    starts: [{ in: '', options: '-e -E -L -J --eval --print --load --sysimage --debugger -d -f --file' }], // GTFOBins
  },
  {
    names: 'java',
    isInterpreter: true,
    valued: '-p --module-path',
    starts: [
      {
        words: /^-(?:javaagent|agentlib|agentpath|XX:(?:OnError|OnOutOfMemoryError|Flags|VMOptionsFile))|^@/,
      },
      { in: '', options: '-cp -classpath --class-path -jar' }, // java(1): code by its place
    ],
  },
  {
    names: 'javac',
    valued: '-d -s -h -source -target --release',
    starts: [{ words: /^-(?:processorpath|processor|Xplugin|-processor|J)|^@/ }],
  },
  {
    names: 'pytest py.test',
    acceptsDoubleDash: true,
    whole: '--co',
    valued: '-k -m -n -r --tb --maxfail --durations -W',
    flags: '-x -v -s -q -l -h --pdb --lf --ff --exitfirst --verbose --quiet --co --collect-only',
    starts: [
      { options: '-p', value: /^(?!no:)/ }, // pytest --help: plugins
      { options: '-c --rootdir --confcutdir --pdbcls! --config-file' },
      {
        options: '-o --override-ini',
        value: /^(?:addopts|python_|pythonpath|required_plugins|conftest|env|.*command)/,
      },
    ],
  },
  program('pylint', '--init-hook --load-plugins --rcfile'),
  program('flake8', '--config --append-config'), // flake8 --help: local plugins
  program('mypy', '--python-executable --config-file --custom-typeshed-dir'), // mypy --help: plugins
  program('pyright basedpyright', '--pythonpath --venvpath'),
  program(
    'jest',
    '-c --config --rootDir --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --testRunner --runner --resolver --transform --reporters --preset --testEnvironment --testSequencer --snapshotSerializers --prettierPath --watchPlugins --filter --dependencyExtractor --projects',
    { valued: '-t --testNamePattern' },
  ),
  {
    names: 'vitest',
    valued: '-t --testNamePattern',
    starts: [
      {
        options:
          '-c -r --config --root --dir --environment --reporter --globalSetup --setupFiles --workspace --pool --browser --execArgv --poolOptions',
        value: /[./:]|^(?:\0)/,
      },
    ],
  },
  {
    names: 'mocha',
    valued: '-g -f -t --grep --timeout',
    starts: [
      {
        options: '-r -u -R --require --ui --reporter --config --package --loader --import --node-option -n',
        value: /[./:]|^-/,
      },
    ],
  },
  {
    names: 'playwright cypress karma wdio ng nx turbo lerna',
    starts: [{ options: '-c -C --config --config-file', value: /[./]/ }], // their --help: a config is code
  },
  {
    names: 'eslint',
    isExact: true,
    acceptsDoubleDash: true,
    valued: '-o --ext --max-warnings --ignore-path --ignore-pattern',
    flags: '--fix --quiet --cache',
    starts: [
      {
        options: '-c -f --config --rulesdir --resolve-plugins-relative-to --parser --plugin --format --rule',
        value: /[./\\]/,
      },
    ],
  },
  {
    names: 'prettier',
    isExact: true,
    acceptsDoubleDash: true,
    valued: '--ignore-path --parser --print-width --log-level',
    flags: '-c -w -l -u --check --write --list-different --ignore-unknown',
    starts: [{ options: '--config --plugin --plugin-search-dir', value: /[./\\]/ }], // prettier --help
  },
  {
    names: 'stylelint',
    valued: '--ignore-path',
    starts: [
      {
        options: '-f --config --custom-syntax --custom-formatter --config-basedir --formatter',
        value: /[./\\]/,
        // stylelint --help
      },
    ],
  },
  {
    names: 'webpack webpack-cli rollup vite esbuild parcel next nuxt tsup swc babel',
    starts: [
      {
        options: '-c -p --config --plugin --configPlugin --require --servedir --presets --plugins',
        value: /[./\\]/,
        // their --help: a config is code
      },
    ],
  },
  { names: 'nodemon', starts: [{ any: true }] },
  program('phpunit pest', '-c --bootstrap --configuration --printer --extension --prepend --loader --include-path'),
  {
    names: 'rspec',
    starts: [{ options: '-r -I -f -O --require --format --options', value: /[./]/ }],
  },
  {
    names: 'rubocop',
    starts: [{ options: '-r -c -f --require --config --format --plugin', value: /[./]/ }],
  },
  program('golangci-lint', '-c --config'), // golangci-lint: plugins
]
