import { type Program, program } from './Program.ts'

/** Compilers load what these name. Source: gcc(1), clang(1). */
const COMPILER = '-B -Xlinker -wrapper -fplugin -fuse-ld -specs --specs -Xclang -load -fpass-plugin -fplugin-arg -cc1'

/** Build tools, compilers, package managers and machine administration. */
export const builders: readonly Program[] = [
  {
    names: 'make gmake',
    isInterpreter: true,
    valued: '-C -o -W',
    starts: [
      { options: '-f -E -I --eval --file --makefile --include-dir' },
      {
        words:
          /^(?:SHELL|\.SHELLFLAGS|MAKE|MAKEFLAGS|MAKEFILES|CC|CXX|LD|AR|AS|Q|[\w.]*(?:SH|CMD|COMMAND|RUN|RUNNER|EXEC|SHELL))\s*[:?+!]*=/,
        // make(1): variables that are run
      },
      { words: /^[\w.]+\s*(?:!=|[:?+]*=[\s\S]*[$;&|`<>\n])/ }, // make(1): values become parts of commands
    ],
  },
  program('ninja just task', '-f -d --justfile --taskfile --shell --shell-arg --set --chooser -t', {
    isInterpreter: true,
  }),
  {
    names: 'cmake',
    isInterpreter: true,
    passes: 'make', // cmake --build
    valued: '-A -B -D -G -S -T -U',
    starts: [
      { options: '-P -C -E --toolchain' },
      {
        options: '-D',
        value:
          /(?:_COMPILER|_LAUNCHER|_PROGRAM|_COMMAND(?!S)|_EXECUTABLE|TOOLCHAIN_FILE|MODULE_PATH|PROJECT_.*INCLUDE|EMULATOR|_LINKER|_CLANG_TIDY|_CPPCHECK|_CPPLINT|_INCLUDE_WHAT_YOU_USE)/,
        // cmake-variables(7)
      },
    ],
  },
  program('ctest', '-S -D -SP --build-and-test --script'),
  program('meson', '--native-file --cross-file --wrap --wrapper --gdb-path', { isInterpreter: true }),
  {
    names: 'gcc g++ cc c++ clang clang++ cpp gfortran',
    valued: '-o -D -I -L -l -x -MF -MT',
    starts: [{ options: COMPILER, words: /^-fplugin|^-B|^-Wl,.*(?:-plugin|--dynamic-linker)|^@/ }],
  },
  {
    names: 'clang-tidy',
    starts: [
      { options: '-load --load --config-file' },
      { options: '-extra-arg -extra-arg-before', value: /-fplugin|^-Xclang|-load/ },
    ],
  },
  {
    names: 'rustc rustdoc',
    valued: '-o -L --edition --crate-type',
    starts: [
      { words: /(?:^-C|^--codegen=)?\s*linker(?:-flavor)?=/ },
      { options: '--sysroot -Z --test-runtool --test-builder' },
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
      },
      { in: 'rustc|rustdoc', words: /linker=/ },
    ],
  },
  {
    names: 'go',
    isInterpreter: true,
    valued: '-o -run -tags -ldflags -timeout -count -bench -p',
    starts: [
      {
        words: /^--?(?:toolexec|exec|vettool|modfile|overlay|compiler|pkgdir)(?:=|$)/,
        // go help build, go help testflag
      },
      {
        options: '-ldflags -gcflags -asmflags -gccgoflags',
        value: /-extld|-linkmode|-fplugin/,
        // go tool link
      },
      { in: 'generate|tool', any: true }, // go help generate
      { in: 'env', options: '-w' }, // go help env
    ],
  },
  {
    names: 'mvn mvnw',
    isInterpreter: true,
    valued: '-D -P -T -l',
    whole: '-fae -ff -fn -nsu -ntp -rf',
    starts: [
      { options: '-f -s -gs -gt -t --file --settings --global-settings --toolchains' },
      {
        options: '-D',
        value: /^(?:exec\.|maven\.ext|jvm=|argLine|debugForkedProcess|skipITs\.|groovy)/,
        // maven plugins
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
      },
      { options: '-D -P', value: /^org\.gradle\.(?:java\.home|jvmargs)/ },
    ],
  },
  {
    names: 'dotnet msbuild',
    isInterpreter: true,
    starts: [
      {
        options: '--settings -s --logger -l --test-adapter-path --collect -logger -l -dl',
        value: /^(?!https?:)[^;]*[./\\]/, // parameters of a logger follow the `;`
      },
      {
        words: /^[-/](?:logger|l|dl|distributedlogger|p|property):.*(?:Command|Exec|Targets|Import|\.dll)/i,
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
        // npm-config(7)
      },
      {
        in: 'config set|set|c set',
        words:
          /^(?:script-shell|shell|git|editor|viewer|browser|node-options|init-module|init\.module|onload-script|prefix|globalconfig|userconfig)\b/,
        // npm-config(7)
      },
    ],
  },
  {
    names: 'pip pip3',
    starts: [
      {
        options: '--python --config-settings -C --global-option --build-option --install-option --use-pep517',
      },
      { words: /^(?:git\+|hg\+|svn\+|bzr\+)(?:ext|file)/ }, // pip: vcs
    ],
  },
  {
    names: 'uv',
    isInterpreter: true,
    starts: [{ options: '--config-file --python -p', value: /^(?![<>=~!]*\d[\d.]*$)[\s\S]*[./]/ }], // a version is no path
  },
  {
    names: 'poetry pdm pipenv hatch rye',
    isInterpreter: true,
    starts: [{ options: '-C --project --directory --python', value: /^(?![<>=~!]*\d[\d.]*$)[\s\S]*[./]/ }],
  },
  {
    names: 'gem bundle bundler',
    isInterpreter: true,
    starts: [
      { options: '--gemfile --config-file --path -P --trust-policy' },
      { in: 'config set|config', words: /^(?:build\.|ruby)/ },
    ],
  },
  {
    names: 'apt apt-get aptitude',
    starts: [
      {
        options: '-o --option',
        value: /(?:Invoke|Pre-|Post-|Dir::|Solver|Command|DPkg|ProxyAutoDetect|Binary)/i,
        // GTFOBins
      },
      { options: '-c --config-file' }, // GTFOBins
    ],
  },
  // composer: plugins of that folder
  program('composer', '-d --working-dir', { isInterpreter: true }),
  // GTFOBins
  program(
    'dpkg rpm dnf yum zypper apk pacman',
    '-i -E -D --install --unpack --eval --pipe --admindir --instdir --root --hookdir --setopt --define --pre-invoke --post-invoke --config -c',
  ),
  { names: 'brew', starts: [{ in: 'edit|sh|irb|ruby|bundle', any: true }] },
  {
    names: 'docker podman nerdctl docker-compose',
    isInterpreter: true,
    valued: '-l --log-level --tlscacert --tlscert --tlskey',
    starts: [{ options: '-H -c --config --host --context --credential-helper', in: '' }],
  },
  {
    names: 'kubectl oc',
    acceptsDoubleDash: true,
    valued: '-n -o -l --namespace --context --cluster --user --output --selector',
    starts: [
      { options: '--kubeconfig --helm-command' }, // kubectl: exec credentials
      { in: 'edit|plugin', any: true }, // runs an editor or a plugin
      { in: 'config', options: '--exec-command', words: /^users\..*exec/ }, // kubectl config: exec credentials
    ],
  },
  {
    names: 'helm',
    starts: [{ options: '--post-renderer --kubeconfig --plugins' }, { in: 'plugin', any: true }],
  },
  program('terraform tofu', '-chdir -plugin-dir', { isInterpreter: true }),
  // GTFOBins
  program(
    'ansible ansible-playbook',
    '-i -M -e -c --inventory --module-path --extra-vars --connection --vault-password-file --become-exe --ssh-common-args --ssh-extra-args',
    { isInterpreter: true },
  ),
  program('pre-commit lefthook', '-c --config', { isInterpreter: true }),
  program(
    'rake',
    '-f -e -E -r -R -p -I --rakefile --execute --execute-print --execute-continue --require --rakelibdir --libdir',
    { isInterpreter: true },
  ),
]
