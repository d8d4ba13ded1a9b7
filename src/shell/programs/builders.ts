import { first, interpreter, type Program, program, within } from './Program.ts'

/** Compilers load what these name. Source: gcc(1), clang(1). */
const COMPILER = '-B -Xlinker -wrapper -fplugin -fuse-ld -specs --specs -Xclang -load -fpass-plugin -fplugin-arg -cc1'

/** Build tools, compilers, package managers and machine administration. */
export const builders: readonly Program[] = [
  interpreter(
    'make gmake',
    [
      '-f -E -I --eval --file --makefile --include-dir',
      // make(1): variables that are run
      /^(?:SHELL|\.SHELLFLAGS|MAKE|MAKEFLAGS|MAKEFILES|CC|CXX|LD|AR|AS|Q|[\w.]*(?:SH|CMD|COMMAND|RUN|RUNNER|EXEC|SHELL))\s*[:?+!]*=/,
      /^[\w.]+\s*(?:!=|[:?+]*=[\s\S]*[$;&|`<>\n])/, // make(1): values become parts of commands
    ],
    { valued: '-C -o -W' },
  ),
  interpreter('ninja just task', '-f -d --justfile --taskfile --shell --shell-arg --set --chooser -t'),
  // `cmake --build` passes words to make.
  interpreter(
    'cmake',
    [
      '-P -C -E --toolchain',
      {
        options: '-D',
        value:
          /(?:_COMPILER|_LAUNCHER|_PROGRAM|_COMMAND(?!S)|_EXECUTABLE|TOOLCHAIN_FILE|MODULE_PATH|PROJECT_.*INCLUDE|EMULATOR|_LINKER|_CLANG_TIDY|_CPPCHECK|_CPPLINT|_INCLUDE_WHAT_YOU_USE)/,
      }, // cmake-variables(7)
    ],
    { passes: 'make', valued: '-A -B -D -G -S -T -U' },
  ),
  program('ctest', '-S -D -SP --build-and-test --script'),
  interpreter('meson', '--native-file --cross-file --wrap --wrapper --gdb-path'),
  program(
    'gcc g++ cc c++ clang clang++ cpp gfortran',
    [{ options: COMPILER, words: /^-fplugin|^-B|^-Wl,.*(?:-plugin|--dynamic-linker)|^@/ }],
    { valued: '-o -D -I -L -l -x -MF -MT' },
  ),
  program('clang-tidy', [
    '-load --load --config-file',
    { options: '-extra-arg -extra-arg-before', value: /-fplugin|^-Xclang|-load/ },
  ]),
  program(
    'rustc rustdoc',
    [/(?:^-C|^--codegen=)?\s*linker(?:-flavor)?=/, '--sysroot -Z --test-runtool --test-builder'],
    { valued: '-o -L --edition --crate-type' },
  ),
  interpreter(
    'cargo',
    [
      {
        options: '--config --manifest-path -Z',
        value: /(?:runner|linker|rustc|wrapper|alias|credential|build\.|target\.|env\.|unstable|script|toml$)/,
      },
      { in: 'rustc|rustdoc', words: /linker=/ },
    ],
    { valued: '-p --package --bin --example --test --features --target --profile -j' },
  ),
  interpreter(
    'go',
    [
      /^--?(?:toolexec|exec|vettool|modfile|overlay|compiler|pkgdir)(?:=|$)/, // go help build, go help testflag
      { options: '-ldflags -gcflags -asmflags -gccgoflags', value: /-extld|-linkmode|-fplugin/ }, // go tool link
      within('generate|tool'), // go help generate
      { in: 'env', options: '-w' }, // go help env
    ],
    { valued: '-o -run -tags -ldflags -timeout -count -bench -p' },
  ),
  interpreter(
    'mvn mvnw',
    [
      '-f -s -gs -gt -t --file --settings --global-settings --toolchains',
      // maven plugins
      { options: '-D', value: /^(?:exec\.|maven\.ext|jvm=|argLine|debugForkedProcess|skipITs\.|groovy)/ },
    ],
    { valued: '-D -P -T -l', whole: '-fae -ff -fn -nsu -ntp -rf' },
  ),
  interpreter(
    'gradle gradlew',
    [
      '-I -b -c -g -p --init-script --build-file --settings-file --include-build --gradle-user-home --project-dir',
      { options: '-D -P', value: /^org\.gradle\.(?:java\.home|jvmargs)/ },
    ],
    { valued: '-D -P -x --exclude-task --tests' },
  ),
  interpreter('dotnet msbuild', [
    {
      options: '--settings -s --logger -l --test-adapter-path --collect -logger -l -dl',
      value: /^(?!https?:)[^;]*[./\\]/,
    }, // parameters of a logger follow the `;`
    /^[-/](?:logger|l|dl|distributedlogger|p|property):.*(?:Command|Exec|Targets|Import|\.dll)/i,
  ]),
  interpreter('npm pnpm yarn', [
    // npm-config(7)
    '--script-shell --node-options --git --viewer --editor --browser --shell --init-module --globalconfig --userconfig --prefix --scripts-prepend-node-path --use-node-version --config.script-shell --cwd --dir --use-yarnrc -C',
    {
      in: 'config set|set|c set',
      words:
        /^(?:script-shell|shell|git|editor|viewer|browser|node-options|init-module|init\.module|onload-script|prefix|globalconfig|userconfig)\b/,
    }, // npm-config(7)
  ]),
  program('pip pip3', [
    '--python --config-settings -C --global-option --build-option --install-option --use-pep517',
    /^(?:git\+|hg\+|svn\+|bzr\+)(?:ext|file)/, // pip: vcs
  ]),
  // a version is no path
  interpreter('uv', [{ options: '--config-file --python -p', value: /^(?![<>=~!]*\d[\d.]*$)[\s\S]*[./]/ }]),
  interpreter('poetry pdm pipenv hatch rye', [
    { options: '-C --project --directory --python', value: /^(?![<>=~!]*\d[\d.]*$)[\s\S]*[./]/ },
  ]),
  interpreter('gem bundle bundler', [
    '--gemfile --config-file --path -P --trust-policy',
    { in: 'config set|config', words: /^(?:build\.|ruby)/ },
  ]),
  program('apt apt-get aptitude', [
    // GTFOBins
    { options: '-o --option', value: /(?:Invoke|Pre-|Post-|Dir::|Solver|Command|DPkg|ProxyAutoDetect|Binary)/i },
    '-c --config-file', // GTFOBins
  ]),
  // composer: plugins of that folder
  interpreter('composer', '-d --working-dir'),
  // GTFOBins
  program(
    'dpkg rpm dnf yum zypper apk pacman',
    '-i -E -D --install --unpack --eval --pipe --admindir --instdir --root --hookdir --setopt --define --pre-invoke --post-invoke --config -c',
  ),
  program('brew', [within('edit|sh|irb|ruby|bundle')]),
  interpreter('docker podman nerdctl docker-compose', [first('-H -c --config --host --context --credential-helper')], {
    valued: '-l --log-level --tlscacert --tlscert --tlskey',
  }),
  program(
    'kubectl oc',
    [
      '--kubeconfig --helm-command', // kubectl: exec credentials
      within('edit|plugin'), // runs an editor or a plugin
      { in: 'config', options: '--exec-command', words: /^users\..*exec/ }, // kubectl config: exec credentials
    ],
    { acceptsDoubleDash: true, valued: '-n -o -l --namespace --context --cluster --user --output --selector' },
  ),
  program('helm', ['--post-renderer --kubeconfig --plugins', within('plugin')]),
  interpreter('terraform tofu', '-chdir -plugin-dir'),
  // GTFOBins
  interpreter(
    'ansible ansible-playbook',
    '-i -M -e -c --inventory --module-path --extra-vars --connection --vault-password-file --become-exe --ssh-common-args --ssh-extra-args',
  ),
  interpreter('pre-commit lefthook', '-c --config'),
  interpreter(
    'rake',
    '-f -e -E -r -R -p -I --rakefile --execute --execute-print --execute-continue --require --rakelibdir --libdir',
  ),
]
