import { ANY, first, interpreter, type Program, program, within } from './Program.ts'

/** Interpreters, test runners and linters that load code which their options name. */
export const interpreters: readonly Program[] = [
  interpreter(
    'node nodejs tsx ts-node electron',
    [
      first(
        '-r -e -p --require --import --loader --experimental-loader --eval --print --env-file --experimental-default-config-file --experimental-config-file --openssl-config --snapshot-blob --build-snapshot --test-global-setup --run',
      ),
      { in: '', options: '--test-reporter', value: /[./:]/ },
      { in: '', words: /^(?:inspect)$/ },
    ],
    {
      isExact: true,
      valued: '-C --conditions --title --test-name-pattern --test-reporter-destination',
    },
  ),
  interpreter('deno', ['--import-map --preload --config -c --node-modules-dir', within('eval|task|repl|install')]),
  interpreter('bun', '-r -e -p -c --preload --require --import --eval --print --config --shell --bun', {
    isExact: true,
  }),
  interpreter('python python2 python3 pypy pypy3', [first('-c -m')], {
    valued: '-W -X --check-hash-based-pycs',
    ends: '-m -c',
  }),
  interpreter('ruby irb', [first('-e -r -I -S -x -C')]),
  interpreter('perl', [first('-e -E -I -M -m -d -x -S -s')]),
  interpreter('php', [
    first(
      '-r -c -d -B -R -E -F -z -f --run --define --php-ini --zend-extension --process-begin --process-code --process-file --process-end',
    ),
  ]),
  interpreter('lua luajit groovy', [first('-e -l -i')]),
  // GTFOBins
  interpreter('R Rscript julia', [first('-e -E -L -J --eval --print --load --sysimage --debugger -d -f --file')]),
  interpreter(
    'java',
    [
      /^-(?:javaagent|agentlib|agentpath|XX:(?:OnError|OnOutOfMemoryError|Flags|VMOptionsFile))|^@/,
      first('-cp -classpath --class-path -jar'), // java(1): code by its place
    ],
    { valued: '-p --module-path' },
  ),
  program('javac', [/^-(?:processorpath|processor|Xplugin|-processor|J)|^@/], {
    valued: '-d -s -h -source -target --release',
  }),
  program(
    'pytest py.test',
    [
      { options: '-p', value: /^(?!no:)/ }, // pytest --help: plugins
      '-c --rootdir --confcutdir --pdbcls! --config-file',
      {
        options: '-o --override-ini',
        value: /^(?:addopts|python_|pythonpath|required_plugins|conftest|env|.*command)/,
      },
    ],
    {
      acceptsDoubleDash: true,
      whole: '--co',
      valued: '-k -m -n -r --tb --maxfail --durations -W',
      flags: '-x -v -s -q -l -h --pdb --lf --ff --exitfirst --verbose --quiet --co --collect-only',
    },
  ),
  program('pylint', '--init-hook --load-plugins --rcfile'),
  program('flake8', '--config --append-config'), // flake8 --help: local plugins
  program('mypy', '--python-executable --config-file --custom-typeshed-dir'), // mypy --help: plugins
  program('pyright basedpyright', '--pythonpath --venvpath'),
  program(
    'jest',
    '-c --config --rootDir --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --testRunner --runner --resolver --transform --reporters --preset --testEnvironment --testSequencer --snapshotSerializers --prettierPath --watchPlugins --filter --dependencyExtractor --projects',
    { valued: '-t --testNamePattern' },
  ),
  program(
    'vitest',
    [
      {
        options:
          '-c -r --config --root --dir --environment --reporter --globalSetup --setupFiles --workspace --pool --browser --execArgv --poolOptions',
        value: /[./:]|^(?:\0)/,
      },
    ],
    { valued: '-t --testNamePattern' },
  ),
  program(
    'mocha',
    [
      {
        options: '-r -u -R --require --ui --reporter --config --package --loader --import --node-option -n',
        value: /[./:]|^-/,
      },
    ],
    { valued: '-g -f -t --grep --timeout' },
  ),
  // their --help: a config is code
  program('playwright cypress karma wdio ng nx turbo lerna', [
    { options: '-c -C --config --config-file', value: /[./]/ },
  ]),
  program(
    'eslint',
    [
      {
        options: '-c -f --config --rulesdir --resolve-plugins-relative-to --parser --plugin --format --rule',
        value: /[./\\]/,
      },
    ],
    {
      isExact: true,
      acceptsDoubleDash: true,
      valued: '-o --ext --max-warnings --ignore-path --ignore-pattern',
      flags: '--fix --quiet --cache',
    },
  ),
  // prettier --help
  program('prettier', [{ options: '--config --plugin --plugin-search-dir', value: /[./\\]/ }], {
    isExact: true,
    acceptsDoubleDash: true,
    valued: '--ignore-path --parser --print-width --log-level',
    flags: '-c -w -l -u --check --write --list-different --ignore-unknown',
  }),
  program(
    'stylelint',
    [
      // stylelint --help
      { options: '-f --config --custom-syntax --custom-formatter --config-basedir --formatter', value: /[./\\]/ },
    ],
    { valued: '--ignore-path' },
  ),
  program('webpack webpack-cli rollup vite esbuild parcel next nuxt tsup swc babel', [
    // their --help: a config is code
    { options: '-c -p --config --plugin --configPlugin --require --servedir --presets --plugins', value: /[./\\]/ },
  ]),
  program('nodemon', [ANY]),
  program('phpunit pest', '-c --bootstrap --configuration --printer --extension --prepend --loader --include-path'),
  program('rspec', [{ options: '-r -I -f -O --require --format --options', value: /[./]/ }]),
  program('rubocop', [{ options: '-r -c -f --require --config --format --plugin', value: /[./]/ }]),
  program('golangci-lint', '-c --config'), // golangci-lint: plugins
]
