import { first, type Program, program, within } from './Program.ts'

/** Settings that name a program, or point to files that do; not one that does nothing. Source: git-config(1). */
const KEYS =
  /^(?!(?:(?:core|sequence)\.(?:editor|pager)=(?:true|:|cat)|(?:protocol\.version|gpg\.format)(?:=\w*)?)$)(?:alias\.|include(?:if)?\.|filter\.|pager\.|browser\.|man\.|guitool\.|difftool\.|mergetool\.|hook\.|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand|worktree|attributesfile)|diff\.(?:external|guitool|tool|.*\.(?:command|textconv))|merge\.(?:tool|.*\.driver)|credential\.|gpg\.|sequence\.editor|ssh\.|uploadpack\.packobjectshook|protocol\.|init\.templatedir|remote\..*\.(?:uploadpack|receivepack|vcs)|interactive\.difffilter|web\.browser|sendemail\.|submodule\..*\.update|trailer\..*\.(?:cmd|command)|tar\..*\.command|imap\.tunnel|instaweb\.|receive\.procreceiverefs|.*\.(?:cmd|command|helper|program|driver)(?:=|$))/i

/** git and its own tools. */
export const git: readonly Program[] = [
  // After the subcommand they are others: `-F` of grep and `-m` of rebase take no value.
  program(
    'git',
    [
      { in: '', options: '-c', value: KEYS },
      first('--config-env --exec-path'),
      first('--git-dir'), // git(1): its config names programs
      { in: 'config', options: '--rename-section -e --edit', words: KEYS },
      { in: 'config', words: /^(?:rename-section|edit)$/ }, // git-config(1): any section becomes `alias`
      { in: 'clone', options: '-c --config', value: KEYS },
      { in: 'clone', options: '-u --upload-pack --template' },
      { in: 'init|worktree', options: '--template' }, // git-init(1): hooks
      { in: 'fetch|pull|ls-remote|fetch-pack', options: '--upload-pack --exec' },
      { in: 'push|send-pack', options: '--receive-pack --exec' },
      { in: 'archive', options: '--exec' },
      { in: 'rebase', options: '-x --exec' },
      { in: 'grep', options: '-O --open-files-in-pager' },
      { in: 'difftool', options: '-x --extcmd' },
      { in: 'difftool|mergetool', options: '-t --tool', value: /\// }, // git-mergetool--lib: a script of that folder
      { in: 'help', options: '-w --web' },
      within(
        'bisect run|bisect view|bisect visualize|merge-index|merge-one-file|submodule foreach|submodule--helper|for-each-repo|filter-branch|hook|instaweb|web--browse|send-email|daemon|shell|remote-ext|remote-fd|cvsserver|mergetool--lib',
      ), // git-bisect(1), git-submodule(1), git-filter-branch(1)
      { in: 'clone|fetch|pull|push|ls-remote|remote|submodule', words: /^(?:ext|fd)::/ },
      within('upload-pack|receive-pack|upload-archive|http-backend'), // runs hooks of the folder it is given
    ],
    {
      hasGlobalsOnly: true,
      valued: '-c -C --git-dir --work-tree --namespace --config-env --super-prefix --attr-source',
    },
  ),
  program('tig gitk gitweb git-gui', [/^\+/]),
]
