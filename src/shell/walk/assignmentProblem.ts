/** Variables that control which program or code runs, or how bash parses what follows. Other names are harmless. */
const CODE_VARIABLES =
  /^(?:PATH|IFS|ENV|SHELL|HOME|CDPATH|GLOBIGNORE|EXECIGNORE|FUNCNEST|INPUTRC|POSIXLY_CORRECT|PROMPT_COMMAND|PS[0-4]|SHELLOPTS|BASHOPTS|BASH|BASH_.*|LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|OPENSSL_(?:CONF|MODULES|ENGINES)|GIT_(?:SSH.*|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|CONFIG.*|DIR|COMMON_DIR|WORK_TREE|EXEC_PATH|TEMPLATE_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE.*|ATTR.*|ALLOW_PROTOCOL|PROTOCOL.*|DIFF_OPTS|SHELL)|SSH_ASKPASS|SUDO_ASKPASS|RSYNC_.*|CVS_RSH|SVN_.*|HGRCPATH|HG.*|.*PAGER|.*EDITOR|VISUAL|BROWSER|LESS(?:OPEN|CLOSE|KEY.*)?|MANOPT|MANROFFSEQ|NODE_(?:OPTIONS|PATH|REPL_.*)|PYTHON(?:PATH|HOME|STARTUP|BREAKPOINT|USERBASE|EXECUTABLE|INSPECT|PYCACHEPREFIX|WARNINGS|PLATLIBDIR)|PYTEST_(?:ADDOPTS|PLUGINS)|PERL5?(?:LIB|OPT|DB)|PERL_.*|RUBY(?:OPT|LIB|SHELL)|BUNDLE_GEMFILE|GEM_(?:HOME|PATH)|LUA_(?:INIT|PATH|CPATH).*|PHPRC|PHP_INI_SCAN_DIR|R_(?:PROFILE|ENVIRON|LIBS).*|JULIA_LOAD_PATH|CLASSPATH|_?JAVA_(?:TOOL_)?OPTIONS|JDK_JAVA_OPTIONS|JAVA_HOME|MAVEN_(?:OPTS|ARGS)|GRADLE_OPTS|ANT_(?:OPTS|ARGS)|GO(?:FLAGS|ROOT|TOOLCHAIN|ENV|WORK|GCCGO)|CGO_.*FLAGS|CC|CXX|CPP|LD|AR|AS|RUSTC(?:_.*)?|RUSTFLAGS|RUSTDOCFLAGS|CARGO_(?:.*_(?:RUNNER|LINKER|RUSTFLAGS)|BUILD_.*|ALIAS_.*|HOME)|MAKE(?:FLAGS|FILES|SHELL)?|GNUMAKEFLAGS|GCC_EXEC_PREFIX|COMPILER_PATH|CMAKE_(?:.*_LAUNCHER|PREFIX_PATH|TOOLCHAIN_FILE|MODULE_PATH)|npm_.*|COREPACK_.*|TAR_OPTIONS|RIPGREP_CONFIG_PATH|ACKRC|ACK_.*|BAT_CONFIG_.*|FZF_.*|GREP_OPTIONS|VIMINIT|GVIMINIT|EXINIT|MYVIMRC|EMACS.*|XDG_(?:CONFIG|DATA)_.*|KUBECONFIG|DOCKER_(?:CONFIG|HOST)|AWS_(?:CONFIG_FILE|SHARED_CREDENTIALS_FILE)|ANSIBLE_.*|TF_CLI_.*|TF_PLUGIN.*|TERMINFO.*|GNUPGHOME|MAILCAPS|ESLINT_.*|MOCHA_.*|JEST_.*|PLAYWRIGHT_.*_PATH|CHROME_PATH|PUPPETEER_.*|DJANGO_SETTINGS_MODULE|FLASK_APP|DOTNET_(?:STARTUP_HOOKS|ADDITIONAL_DEPS|SHARED_STORE|GC(?:Name|Path)|ROOT.*)|COMPlus_.*|COR(?:ECLR)?_.*|BUN_OPTIONS|ERL_.*|ELIXIR_ERL_OPTIONS|TS_NODE_.*|CCACHE_(?:PREFIX.*|COMPILER.*|CONFIGPATH|PATH)|PSQLRC|WGETRC|PYLINTRC|COVERAGE_(?:RCFILE|PROCESS_START)|GH_(?:CONFIG_DIR|PATH|BROWSER)|KUBECTL_EXTERNAL_DIFF|HELM_PLUGINS|CLOUDSDK_(?:PYTHON.*|CONFIG)|FPATH|ZDOTDIR|histchars|auto_resume)$/

/** Settings of package managers, which they read in any case: npm runs the `script-shell` of `Npm_Config_script_shell`. */
const IN_ANY_CASE = /^(?:p?npm_config|yarn)_/i

/** Settings of the shell's own parser: a command may get them, the shell itself may not. */
const OF_THE_SHELL = /^(?:LANG|LANGUAGE|LC_.*|COMP_.*|TMOUT|EUID|UID|PPID|OPT.*|_)$/

/** Bash reads what they are set to as arithmetic, which runs the command in `a[$(command)]`. */
const INTEGERS = /^(?:RANDOM|SRANDOM|SECONDS|HISTCMD|LINENO|OPTIND|BASHPID|EPOCHSECONDS)$/

/** Values that name no code: memory, warnings, how to resolve modules; a compiler by its usual name, or what does nothing. */
const HARMLESS_VALUES: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [INTEGERS, /^\d+$/],
  [
    /^NODE_OPTIONS$/,
    /^(?:--(?:max-old-space-size=\d+|experimental-vm-modules|enable-source-maps|openssl-legacy-provider|no-warnings)(?: |$))+$/,
  ],
  [/^RUST(?:DOC)?FLAGS$/, /^(?:-[ADW] ?[\w:]+(?: |$))+$/],
  [/^(?:MAVEN|GRADLE)_OPTS$/, /^(?:-X(?:m[sx]|ss)\d+[kmgKMG]?(?: |$))+$/],
  [/^GOFLAGS$/, /^-mod=(?:mod|vendor|readonly)$/],
  [/^MAKEFLAGS$/, /^-j ?\d*$/],
  [/^(?:CC|CXX)$/, /^(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+)(?:-\d+)?$/],
  [/^(?:(?:GIT_)?(?:EDITOR|PAGER)|GIT_SEQUENCE_EDITOR|VISUAL)$/, /^(?:true|:|cat)$/],
  [/^PYTHONWARNINGS$/, /^(?:ignore|error|default|always|once)$/],
]

/** Whether the variable steers nothing with this text as its value. */
export function isHarmless(name: string, value: string): boolean {
  return HARMLESS_VALUES.some(([names, values]) => names.test(name) && values.test(value))
}

/** Why no rule covers what comes after an assignment; undefined for the many harmless names. */
export function assignmentProblem(name: string, isForCommand = true): 'variable' | undefined {
  const isCode = CODE_VARIABLES.test(name) || IN_ANY_CASE.test(name) || INTEGERS.test(name)
  return isCode || (!isForCommand && OF_THE_SHELL.test(name)) ? 'variable' : undefined
}
