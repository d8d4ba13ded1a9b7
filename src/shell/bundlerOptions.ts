import type { DangerousOptions } from './dangerousOptions.ts'
import { named } from './named.ts'

/** Bundlers and translators of web projects: what they load besides their settings, and text that they are given to put in. */
export const bundlerOptions: readonly (readonly [names: string, options: DangerousOptions])[] = [
  [
    'webpack',
    {
      only: `--bail --cache --color --config --config-name --define-process-env-node-env --devtool --env --fail-on-warnings --help
        --hot --mode --name --no-* --node-env --profile --progress --stats --stats-* --target --version --watch
        -c -d -h -t -v -w`,
      // A loader stands before its file.
      words: /!/,
      settings: named('c|config'),
    },
  ],
  [
    'rollup',
    {
      only: `--compact --config --environment --exports --external --failAfterWarnings --filterLogs --format --globals --help
        --input --interop --minifyInternalExports --name --no-* --silent --sourcemap --strict --treeshake --version --watch
        -c -e -f -g -h -i -m -n -v -w`,
      settings: named('c|config'),
    },
  ],
  [
    'vite',
    {
      only: `--assetsDir --base --clearScreen --config --cors --debug --emptyOutDir --filter --force --help --host --logLevel
        --manifest --minify --mode --no-* --port --sourcemap --ssrManifest --strictPort --target --version --watch
        -c -d -f -h -l -m -v -w`,
      settings: named('c|config'),
      // Another operand is a folder with settings of its own.
      first: /^(?:build|dev|serve|preview|optimize|\.)$/,
      pairs:
        /^(?:build|dev|serve|preview|optimize) (?!-|(?:\.|\d+|debug|development|error|es\w+|false|info|modules|production|silent|staging|terser|test|true|warn)$)/,
    },
  ],
  [
    'babel',
    {
      only: `--comments --compact --config-file --copy-files --env-name --extensions --help --ignore --include-dotfiles
        --keep-file-extension --minified --no-* --only --quiet --retain-lines --source-maps --verbose --version --watch
        -D -f -h -i -q -s -w -x`,
      settings: named('config-file'),
    },
  ],
  [
    'postcss',
    {
      only: `--base --config --env --ext --help --include-dotfiles --map --no-map --poll --replace --verbose --version --watch
        -h -m -r -w`,
      settings: named('config'),
    },
  ],
  [
    'tailwindcss',
    {
      only: '--config --content --help --input --map --minify --no-* --optimize --watch -c -h -i -m -w',
      settings: named('c|config'),
    },
  ],
  [
    'tsup',
    {
      only: `--clean --config --dts --entry --external --format --global-name --help --keep-names --legacy-output --minify --no-*
        --platform --silent --sourcemap --splitting --target --treeshake --tsconfig --version --watch -h -v`,
      settings: named('config|tsconfig'),
    },
  ],
  [
    'swc',
    {
      only: `--config-file --copy-files --extensions --help --ignore --include-dotfiles --only --quiet --source-maps --sync --version
        --watch -V -h -q -s -w`,
      settings: named('config-file'),
    },
  ],
  [
    'svgo',
    {
      only: `--config --disable --enable --eol --exclude --final-newline --folder --help --indent --input --multipass --no-color
        --precision --pretty --quiet --recursive --show-plugins --string --version -f -h -i -p -q -r -s -v`,
      settings: named('config'),
    },
  ],
  [
    'esbuild',
    {
      only: `--allow-overwrite --analyze --bundle --charset --color --conditions --drop --drop-labels --external:* --format
        --global-name --help --ignore-annotations --jsx --jsx-* --keep-names --legal-comments --loader:* --log-level --log-limit
        --log-override:* --main-fields --minify --minify-* --packages --platform --preserve-symlinks --public-path --pure:*
        --resolve-extensions --source-root --sourcefile --sourcemap --sources-content --splitting --supported:* --target
        --tree-shaking --tsconfig --version --watch`,
      settings: named('tsconfig'),
    },
  ],
]
