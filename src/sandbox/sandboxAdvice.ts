import { existsSync } from 'node:fs'
import type { SandboxSettings } from '../contracts/settings.ts'
import { readRaw } from '../lib/fs/atPath.ts'
import type { SandboxParts } from './openSandbox.ts'

/** Why there is no sandbox here. */
export type SandboxFault = 'bwrap is missing' | 'it does not start' | 'too many processes'

/** Ids of `/etc/os-release`, and the command that installs a package there. */
const INSTALLERS: Readonly<Record<string, string>> = {
  debian: 'apt-get install --yes',
  ubuntu: 'apt-get install --yes',
  fedora: 'dnf install --assumeyes',
  rhel: 'dnf install --assumeyes',
  centos: 'dnf install --assumeyes',
  alpine: 'apk add',
  arch: 'pacman --sync --noconfirm',
  suse: 'zypper --non-interactive install',
  nixos: 'nix-env --install',
}

/** The lines that enable a sandbox on this machine, one below the other. `root` is where to look. */
export function sandboxAdvice(fault: SandboxFault, root = ''): readonly string[] {
  if (fault === 'too many processes')
    return ['end other processes, or raise the limit: ulimit -u; docker run --pids-limit; systemd TasksMax']
  return fault === 'bwrap is missing' ? [installLine(root)] : startLines(root)
}

function installLine(root: string): string {
  const release = readRaw(`${root}/etc/os-release`)
  const ids = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)/gm)].flatMap(([, text = '']) => text.split(' '))
  const installer = ids.map((id) => INSTALLERS[id]).find((line) => line !== undefined)
  return installer === undefined ? 'install the package bubblewrap' : `${sudo()}${installer} bubblewrap`
}

/** The known reasons that keep bwrap from its namespaces, as far as the machine shows them. */
function startLines(root: string): string[] {
  const knob = (name: string) => readRaw(`${root}/proc/sys/${name}`).trim()
  if (knob('user/max_user_namespaces') === '0') return [`${sudo()}sysctl -w user.max_user_namespaces=28633`]
  if (knob('kernel/unprivileged_userns_clone') === '0') return [`${sudo()}sysctl -w kernel.unprivileged_userns_clone=1`]
  if (knob('kernel/apparmor_restrict_unprivileged_userns') === '1') {
    return [
      `${sudo()}sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`,
      'or, for bwrap alone, as /etc/apparmor.d/bwrap:',
      'profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }',
    ]
  }
  const isContainer = ['/.dockerenv', '/run/.containerenv'].some((path) => existsSync(root + path))
  return isContainer
    ? [
        'docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined …',
        'or, where Landlock is enough for you, in the policy: sandbox: { mode: required, wall: landlock }',
      ]
    : []
}

function sudo(): string {
  return process.getuid?.() === 0 ? '' : 'sudo '
}

/** Why the run must not continue if the sandbox is required; undefined if it may. */
export function objectionTo(
  { mode }: Pick<SandboxSettings, 'mode'>,
  { state, detail, network, views, landlock }: SandboxParts,
): string | undefined {
  if (mode !== 'required') return undefined
  if (landlock !== undefined && (landlock.holdsNetwork || network.state !== 'advisory')) return undefined
  if (state !== 'enforced') return `it does not start: ${detail}`
  if (views.state !== 'enforced') return `changes could not be undone: ${views.detail}`
  if (network.state !== 'advisory') return undefined
  return `sandbox.network: ${network.mode} cannot be enforced: ${network.detail}`
}
