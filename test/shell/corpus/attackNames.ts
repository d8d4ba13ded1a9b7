import { type Attack, attacks } from './row.ts'

/** Matching. */
export const matching: Attack[] = [
  ...attacks(
    { allow: ['git status', 'echo ok', 'npm run test:*', 'ls *'] },
    { text: '"git status"', files: { 'bin/git status': '#!/bin/sh\ntouch pwned\n' } },
    { text: 'git\\ status', files: { 'bin/git status': '#!/bin/sh\ntouch pwned\n' } },
    { text: 'npm run test:evil', files: { 'bin/npm': '#!/bin/sh\ntouch pwned\n' } },
    { text: 'npm run testing', files: { 'bin/npm': '#!/bin/sh\ntouch pwned\n' } },
    { text: 'npm "run test"', files: { 'bin/npm': '#!/bin/sh\ntouch pwned\n' } },
    { text: 'npm run', files: { 'bin/npm': '#!/bin/sh\ntouch pwned\n' } },
    { text: 'lsof', files: { 'bin/lsof': '#!/bin/sh\ntouch pwned\n' } },
    { text: "'ls *'", files: { 'bin/ls *': '#!/bin/sh\ntouch pwned\n' } },
    { text: 'echo ok more; touch pwned' },
    { text: 'LS pwned', files: { 'bin/LS': '#!/bin/sh\ntouch pwned\n' } },
  ),
  ...attacks(
    { allow: ['deploy * --dry-run', 'deploy * --dry-run *'] },
    { text: "deploy 'x --dry-run'", files: { 'bin/deploy': '#!/bin/sh\ntouch pwned\n' } },
    { text: "deploy 'x --dry-run y'", files: { 'bin/deploy': '#!/bin/sh\ntouch pwned\n' } },
    { text: "'deploy x' --dry-run", files: { 'bin/deploy x': '#!/bin/sh\ntouch pwned\n' } },
  ),
  ...attacks(
    { allow: ['*'], deny: ['publish now:*'] },
    ...[
      'publish now',
      'publish "now"',
      'publish --quiet now',
      'publish --tag x now',
      'publish "$(echo now)"',
      'for w in now; do publish "$w"; done',
      'for w in now; do publish $w; done',
      'W=now; publish "$W"',
      'publish n[o]w',
      'publish n*',
      'PUBLISH now',
      'bin/publish now',
      './bin/publish now',
      'NODE_ENV=x publish now',
      'A=b publish now',
      'publish now > /dev/null',
      'echo now | xargs publish',
    ].map((text) => ({
      text,
      files: {
        'bin/publish': '#!/bin/sh\ncase "$*" in *now*) touch ROOT/pwned;; esac\n',
        'bin/PUBLISH': '#!/bin/sh\ntouch pwned\n',
        now: '',
      },
    })),
  ),
]

const PUBLISHING = {
  'bin/npm': '#!/bin/sh\ncase "$*" in *pub*) touch ROOT/pwned;; esac\n',
  'bin/npx': '#!/bin/sh\nexec "$@"\n',
}

/** The same command under another name. */
export const renamed: Attack[] = [
  ...attacks(
    { allow: ['*'], deny: ['npm publish:*'] },
    ...[
      'npm pub',
      'npm publ',
      'npm --silent pub',
      'npm --tag x publi',
      'npm "pub"',
      'NODE_ENV=x npm pub',
      'timeout 5 npm pub',
      'npx npm publish',
      'npx npm pub',
      'npm exec -- npm publish',
      'npm x -c "npm pub"',
      'find . -maxdepth 0 -exec npm pub \\;',
      'echo x | xargs npm pub',
      "bash -c 'npm pub'",
    ].map((text) => ({ text, files: PUBLISHING })),
  ),
  ...attacks(
    { allow: ['*'], deny: ['git push:*'] },
    ...[
      '/usr/lib/git-core/git-push . HEAD:refs/heads/pwned',
      'git send-pack . HEAD:refs/heads/pwned',
      'git --no-pager push . HEAD:refs/heads/pwned',
      'git -P push . HEAD:refs/heads/pwned',
      'git subtree push -P sub . pwned',
      "git -c alias.x=push x . 'HEAD:refs/heads/pwned'",
      'git -C . push . HEAD:refs/heads/pwned',
      'GIT_DIR=.git git push . HEAD:refs/heads/pwned',
    ].map((text) => ({
      text: `${text}; git branch --list pwned`,
      files: { '.git!': '', 'sub/a': '' },
      ...(text.includes('subtree') ? { unshown: 'is not installed everywhere' } : { shows: 'pwned' }),
    })),
  ),
]
