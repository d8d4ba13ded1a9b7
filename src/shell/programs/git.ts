import type { Program } from './Program.ts'

/** Settings that name a program, or point to files that do. Source: git-config(1). */
const KEYS =
  /^(?:alias\.|include(?:if)?\.|filter\.|pager\.|browser\.|man\.|guitool\.|difftool\.|mergetool\.|hook\.|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand|worktree|attributesfile)|diff\.(?:external|guitool|tool|.*\.(?:command|textconv))|merge\.(?:tool|.*\.driver)|credential\.|gpg\.|sequence\.editor|ssh\.|uploadpack\.packobjectshook|protocol\.|init\.templatedir|remote\..*\.(?:uploadpack|receivepack|vcs)|interactive\.difffilter|web\.browser|sendemail\.|submodule\..*\.update|trailer\..*\.(?:cmd|command)|tar\..*\.command|imap\.tunnel|instaweb\.|receive\.procreceiverefs|.*\.(?:cmd|command|helper|program|driver)(?:=|$))/i

const CONFIG = 'git-config(1)'

/** git and its own tools. */
export const git: readonly Program[] = [
  {
    names: 'git',
    // After the subcommand they are others: `-F` of grep and `-m` of rebase take no value.
    hasGlobalsOnly: true,
    valued: '-c -C --git-dir --work-tree --namespace --config-env --super-prefix --attr-source',
    starts: [
      { in: '', options: '-c', value: KEYS, source: CONFIG },
      { in: '', options: '--config-env --exec-path', source: 'git(1)' },
      { in: '', options: '--git-dir', source: 'git(1): its config names programs' },
      { in: 'config', words: KEYS, source: CONFIG },
      { in: 'clone', options: '-c --config', value: KEYS, source: 'git-clone(1)' },
      { in: 'clone', options: '-u --upload-pack --template', source: 'git-clone(1)' },
      { in: 'init|worktree', options: '--template', source: 'git-init(1): hooks' },
      { in: 'fetch|pull|ls-remote|fetch-pack', options: '--upload-pack --exec', source: 'git-fetch-pack(1)' },
      { in: 'push|send-pack', options: '--receive-pack --exec', source: 'git-push(1)' },
      { in: 'archive', options: '--exec', source: 'git-archive(1)' },
      { in: 'rebase', options: '-x --exec', source: 'git-rebase(1)' },
      { in: 'grep', options: '-O --open-files-in-pager', source: 'git-grep(1)' },
      { in: 'difftool', options: '-x --extcmd', source: 'git-difftool(1)' },
      { in: 'help', options: '-w --web', source: 'git-help(1)' },
      {
        in: 'bisect run|bisect view|bisect visualize|merge-index|merge-one-file|submodule foreach|submodule--helper|for-each-repo|filter-branch|hook|instaweb|web--browse|send-email|daemon|shell|remote-ext|remote-fd|cvsserver|mergetool--lib',
        any: true,
        source: 'git-bisect(1), git-submodule(1), git-filter-branch(1)',
      },
      { in: 'clone|fetch|pull|push|ls-remote|remote|submodule', words: /^(?:ext|fd)::/, source: 'git-remote-ext(1)' },
      {
        in: 'upload-pack|receive-pack|upload-archive|http-backend',
        any: true,
        source: 'runs hooks of the folder it is given',
      },
    ],
  },
  { names: 'tig gitk gitweb git-gui', starts: [{ words: /^\+/, source: 'tig(1)' }] },
]
