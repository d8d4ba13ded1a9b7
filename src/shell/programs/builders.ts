import { type Program, program } from './Program.ts'

const GTFO = 'GTFOBins'
/** Compilers load what these name. Source: gcc(1), clang(1). */
const COMPILER = '-B -Xlinker -wrapper -fplugin -fuse-ld -specs --specs -Xclang -load -fpass-plugin -fplugin-arg -cc1'

/** Build tools, compilers, package managers and machine administration. */
export const builders: readonly Program[] = [
  {
    names: 'make gmake',
    isInterpreter: true,
    valued: '-C -o -W',
    starts: [
      { options: '-f -E -I --eval --file --makefile --include-dir', source: 'make(1)' },
      {
        words:
          /^(?:SHELL|\.SHELLFLAGS|MAKE|MAKEFLAGS|MAKEFILES|CC|CXX|LD|AR|AS|Q|[\w.]*(?:SH|CMD|COMMAND|RUN|RUNNER|EXEC|SHELL))\s*[:?+!]*=/,
        source: 'make(1): variables that are run',
      },
      { words: /^[\w.]+\s*(?:!=|[:?+]*=[\s\S]*[$;&|`<>\n])/, source: 'make(1): values become parts of commands' },
    ],
  },
  program('ninja just task', '-f -C -d --justfile --taskfile --shell --shell-arg --set --chooser -t', 'their --help', {
    isInterpreter: true,
  }),
  {
    names: 'cmake',
    isInterpreter: true,
    valued: '-A -B -D -G -T -U',
    starts: [
      { options: '-P -C -E -S --toolchain --preset', source: 'cmake(1)' },
      {
        options: '-D',
        value:
          /(?:_COMPILER|_LAUNCHER|_PROGRAM|_COMMAND|_EXECUTABLE|TOOLCHAIN_FILE|MODULE_PATH|PROJECT_.*INCLUDE|EMULATOR|_LINKER|_CLANG_TIDY|_CPPCHECK|_CPPLINT|_INCLUDE_WHAT_YOU_USE)/,
        source: 'cmake-variables(7)',
      },
    ],
  },
  program('ctest', '-S -D -SP --build-and-test --script', 'ctest(1)'),
  program('meson', '--native-file --cross-file --wrap --wrapper --gdb-path', 'meson(1)', { isInterpreter: true }),
  {
    names: 'gcc g++ cc c++ clang clang++ cpp gfortran',
    valued: '-o -D -I -L -l -x -MF -MT',
    starts: [{ options: COMPILER, words: /^-fplugin|^-B|^-Wl,.*(?:-plugin|--dynamic-linker)|^@/, source: 'gcc(1)' }],
  },
  {
    names: 'clang-tidy',
    starts: [
      { options: '-load --load --config-file', source: 'clang-tidy --help' },
      { options: '-extra-arg -extra-arg-before', value: /-fplugin|^-Xclang|-load/, source: 'clang-tidy --help' },
    ],
  },
  {
    names: 'rustc rustdoc',
    valued: '-o -L --edition --crate-type',
    starts: [
      { words: /(?:^-C|^--codegen=)?\s*linker(?:-flavor)?=/, source: 'rustc --help' },
      { options: '--sysroot -Z --test-runtool --test-builder', source: 'rustc --help' },
    ],
  },
  {
    names: 'cargo',
    isInterpreter: true,
    valued: '-p --package --bin --example --test --features --target --profile -j',
    starts: [
      {
        options: '--config --manifest-path -Z',
        value: /(?:runner|linker|rustc|wrapper|alias|credential|build\.|target\.|env\.|unstable|script|toml$)/,
        source: 'cargo(1)',
      },
      { in: 'rustc|rustdoc', words: /linker=/, source: 'rustc --help' },
    ],
  },
  {
    names: 'go',
    isInterpreter: true,
    valued: '-o -run -tags -ldflags -timeout -count -bench -p',
    starts: [
      {
        words: /^--?(?:toolexec|exec|vettool|modfile|overlay|compiler|pkgdir)(?:=|$)/,
        source: 'go help build, go help testflag',
      },
      {
        options: '-ldflags -gcflags -asmflags -gccgoflags',
        value: /-extld|-linkmode|-fplugin/,
        source: 'go tool link',
      },
      { in: 'generate|tool', any: true, source: 'go help generate' },
      { in: 'env', options: '-w', source: 'go help env' },
    ],
  },
  {
    names: 'mvn mvnw',
    isInterpreter: true,
    valued: '-D -P -T -l',
    whole: '-fae -ff -fn -nsu -ntp -rf',
    starts: [
      { options: '-f -s -gs -gt -t --file --settings --global-settings --toolchains', source: 'mvn --help' },
      {
        options: '-D',
        value: /^(?:exec\.|maven\.ext|jvm=|argLine|debugForkedProcess|skipITs\.|groovy)/,
        source: 'maven plugins',
      },
    ],
  },
  {
    names: 'gradle gradlew',
    isInterpreter: true,
    valued: '-D -P -x --exclude-task --tests',
    starts: [
      {
        options:
          '-I -b -c -g -p --init-script --build-file --settings-file --include-build --gradle-user-home --project-dir',
        source: 'gradle --help',
      },
      { options: '-D -P', value: /^org\.gradle\.(?:java\.home|jvmargs)/, source: 'gradle' },
    ],
  },
  {
    names: 'dotnet msbuild',
    isInterpreter: true,
    starts: [
      {
        options: '--settings -s --logger -l --test-adapter-path --collect -logger -l -dl',
        value: /[./\\]/,
        source: 'dotnet --help',
      },
      {
        words: /^[-/](?:logger|l|dl|distributedlogger|p|property):.*(?:Command|Exec|Targets|Import|\.dll)/i,
        source: 'msbuild',
      },
    ],
  },
  {
    names: 'npm pnpm yarn',
    isInterpreter: true,
    starts: [
      {
        options:
          '--script-shell --node-options --git --viewer --editor --browser --shell --init-module --globalconfig --userconfig --prefix --scripts-prepend-node-path --use-node-version --config.script-shell --cwd --dir --use-yarnrc -C',
        source: 'npm-config(7)',
      },
      {
        in: 'config set|set|c set',
        words:
          /^(?:script-shell|shell|git|editor|viewer|browser|node-options|init-module|init\.module|onload-script|prefix|globalconfig|userconfig)\b/,
        source: 'npm-config(7)',
      },
    ],
  },
  {
    names: 'pip pip3',
    starts: [
      {
        options: '--python --config-settings -C --global-option --build-option --install-option --use-pep517',
        source: 'pip --help',
      },
      { words: /^(?:git\+|hg\+|svn\+|bzr\+)(?:ext|file)/, source: 'pip: vcs' },
    ],
  },
  {
    names: 'uv',
    isInterpreter: true,
    starts: [{ options: '--config-file --python -p', value: /[./]/, source: 'uv --help' }],
  },
  {
    names: 'poetry pdm pipenv hatch rye',
    isInterpreter: true,
    starts: [{ options: '-C --project --directory --python', value: /[./]/, source: 'their --help' }],
  },
  {
    names: 'gem bundle bundler',
    isInterpreter: true,
    starts: [
      { options: '--gemfile --config-file --path -P --trust-policy', source: 'gem(1)' },
      { in: 'config set|config', words: /^(?:build\.|ruby)/, source: 'bundle-config(1)' },
    ],
  },
  program('composer', '-d --working-dir', 'composer: plugins of that folder', { isInterpreter: true }),
  {
    names: 'apt apt-get aptitude',
    starts: [
      {
        options: '-o --option',
        value: /(?:Invoke|Pre-|Post-|Dir::|Solver|Command|DPkg|ProxyAutoDetect|Binary)/i,
        source: GTFO,
      },
      { options: '-c --config-file', source: GTFO },
    ],
  },
  program(
    'dpkg rpm dnf yum zypper apk pacman',
    '-i -E -D --install --unpack --eval --pipe --admindir --instdir --root --hookdir --setopt --define --pre-invoke --post-invoke --config -c',
    GTFO,
  ),
  { names: 'brew', starts: [{ in: 'edit|sh|irb|ruby|bundle', any: true, source: 'brew(1)' }] },
  {
    names: 'docker podman nerdctl docker-compose',
    isInterpreter: true,
    valued: '-l --log-level',
    starts: [{ options: '-H -c --config --host --context --credential-helper', in: '', source: 'docker(1)' }],
  },
  {
    names: 'kubectl oc',
    starts: [
      { options: '--kubeconfig --helm-command', source: 'kubectl: exec credentials' },
      { in: 'edit|plugin|diff', any: true, source: 'runs an editor or a plugin' },
    ],
  },
  {
    names: 'helm',
    starts: [
      { options: '--post-renderer --kubeconfig --plugins', source: 'helm(1)' },
      { in: 'plugin', any: true, source: 'helm(1)' },
    ],
  },
  program('terraform tofu', '-chdir -plugin-dir', 'terraform', { isInterpreter: true }),
  program(
    'ansible ansible-playbook',
    '-i -M -e -c --inventory --module-path --extra-vars --connection --vault-password-file --become-exe --ssh-common-args --ssh-extra-args',
    GTFO,
    { isInterpreter: true },
  ),
  program('pre-commit lefthook', '-c --config', 'pre-commit --help', { isInterpreter: true }),
  program(
    'rake',
    '-f -e -E -r -R -p -I --rakefile --execute --execute-print --execute-continue --require --rakelibdir --libdir',
    'rake(1)',
    { isInterpreter: true },
  ),
]
