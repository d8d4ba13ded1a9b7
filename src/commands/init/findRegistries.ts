import { readFileSync } from 'node:fs'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { parseUrl } from '../../lib/net/parseUrl.ts'
import { orElse } from '../../lib/orElse.ts'
import { runCommand } from '../../lib/process/runCommand.ts'
import type { Stack } from './Stack.ts'

type Tool = {
  readonly stacks: readonly string[]
  readonly variables: RegExp
  readonly files: readonly string[]
  /** Matches a registry in a file; its first group is the address. */
  readonly line: RegExp
  /** A command that prints the addresses or hosts that the tool uses by default. */
  readonly defaults?: readonly [string, ...string[]]
  /** The start of a further host for each. */
  readonly beside?: string
}

const PIP = 'from pip._internal.models.index import PyPI as i; print(i.simple_url, "https://" + i.file_storage_domain)'

/** What cargo has used, else what its program names: there every host of the domain, since the index is only one of them. */
const CARGO = `cd "\${CARGO_HOME:-$HOME/.cargo}/registry/index" 2>/dev/null && for index in *; do
  echo "https://\${index%-*}"; sed -n 's/.*"dl": *"\\([^"]*\\)".*/\\1/p' "$index/config.json"; done
[ "$?" = 0 ] || grep -aoE 'sparse[+]https://[a-z.]+' "$(rustup which cargo || command -v cargo)" | sed 's/.*:..[a-z]*/*/'`

/** The repositories of the POM that every other one extends, in maven's own library. */
const MAVEN = `unzip -p "$(dirname "$(readlink -f "$(command -v mvn)")")"/../lib/maven-model-builder-*.jar \
  org/apache/maven/model/pom-4.0.0.xml | sed -n 's/.*<url>\\(.*\\)<.url>.*/\\1/p'`

const TOOLS: readonly Tool[] = [
  {
    stacks: ['npm', 'pnpm', 'yarn', 'bun'],
    variables: /^(?:npm_config|NPM_CONFIG|YARN_NPM)_REGISTRY(?:_SERVER)?$/i,
    files: ['~/.npmrc', './.npmrc', '~/.yarnrc.yml', './.yarnrc.yml'],
    line: /^\s*(?:(?:@[\w.-]+:)?registry\s*=|npmRegistryServer:)\s*["']?(\S+?)["']?\s*$/gm,
    defaults: ['npm', 'config', 'get', 'registry'],
  },
  {
    stacks: ['python', 'uv', 'poetry'],
    variables: /^(?:PIP_(?:EXTRA_)?INDEX_URL|UV_(?:DEFAULT_INDEX|INDEX_URL|EXTRA_INDEX_URL))$/,
    files: ['~/.config/pip/pip.conf', '~/.pip/pip.conf', '/etc/pip.conf', '~/.config/uv/uv.toml'],
    line: /^\s*(?:(?:extra-)?index-url|url)\s*=\s*["']?(\S+?)["']?\s*$/gm,
    defaults: ['python3', '-c', PIP],
  },
  {
    stacks: ['cargo'],
    variables: /^CARGO_REGISTRIES_\w+_INDEX$/,
    files: ['~/.cargo/config.toml', '~/.cargo/config', './.cargo/config.toml'],
    line: /^\s*(?:registry|index)\s*=\s*["'](?:sparse\+)?(\S+?)["']\s*$/gm,
    defaults: ['sh', '-c', CARGO],
  },
  {
    stacks: ['bundler'],
    variables: /^BUNDLE_MIRROR__/,
    files: ['~/.gemrc', '~/.bundle/config', './Gemfile', './Gemfile.lock'],
    line: /^\s*(?:source|remote:|-|BUNDLE_MIRROR__\w+:)\s*\(?["']?(https?:[^\s"']+)/gm,
    // bundler reads the list of versions from a host of its own.
    beside: 'index.',
    defaults: ['gem', 'sources', '--list'],
  },
  {
    stacks: ['maven'],
    variables: /$^/,
    files: ['~/.m2/settings.xml', './pom.xml'],
    line: /<(?:mirror|repository|pluginRepository)>[\s\S]{0,500}?<url>\s*(\S+?)\s*<\/url>/g,
    defaults: ['sh', '-c', MAVEN],
  },
  {
    stacks: ['gradle'],
    variables: /$^/,
    files: [
      '~/.gradle/init.gradle',
      ...['build', 'settings'].flatMap((name) => [`./${name}.gradle`, `./${name}.gradle.kts`]),
    ],
    line: /\burl\s*=?\s*(?:uri\s*)?\(?\s*["'](https?:[^"']+)/g,
  },
  { stacks: ['go'], variables: /^GOPROXY$/, files: [], line: /$^/g, defaults: ['go', 'env', 'GOPROXY', 'GOSUMDB'] },
]

const MAX_MS = 10_000

/**
 * The registries that the project's manifests name and those that this machine's package managers are configured with.
 * For managers of the project, also their defaults, as they report them. Empty if nothing is configured and no tool is
 * installed.
 */
export async function findRegistries(io: ProcessIo, root: string, stacks: readonly Stack[]) {
  const hosts = new Set(stacks.flatMap(({ addresses = [] }) => addresses.flatMap(hostOf)))
  const names = stacks.map(({ name }) => name.split(' ')[0] ?? '')
  /** Files in the home folder, with `~/`, that name a registry and hold no credentials. */
  const settings: string[] = []
  /** Package managers of the project of which no registry is known. */
  const unknown: string[] = []
  for (const tool of TOOLS) {
    const values = Object.entries(io.environment).flatMap(([name, value = '']) =>
      tool.variables.test(name) ? words(value) : [],
    )
    for (const name of tool.files) {
      // What cannot be read, the tool cannot use either.
      const text = orElse('', () => readFileSync(name.replace(/^~/, io.home).replace(/^\.(?=\/)/, root), 'utf8'))
      const found = [...text.matchAll(tool.line)].flatMap(([, address = '']) => address)
      values.push(...found)
      if (found.length > 0 && isMissed(name) && !LOGIN.test(text)) settings.push(name)
    }
    const used = names.find((name) => tool.stacks.includes(name))
    const isAsked = values.length === 0 && used !== undefined
    const asked = isAsked && tool.defaults !== undefined ? await output(io, tool.defaults) : ''
    const found = [...values, ...words(asked)].flatMap(hostOf)
    for (const host of found) {
      hosts.add(host)
      if (tool.beside !== undefined) hosts.add(tool.beside + host)
    }
    const isNamed = stacks.some((stack) => stack.addresses?.length && stack.name.split(' ')[0] === used)
    if (used !== undefined && found.length === 0 && !isNamed) unknown.push(used)
  }
  return { hosts: [...hosts].sort(), settings, unknown }
}

/** True for a file that commands would miss. They see cargo's folder anyway, as a toolchain. */
function isMissed(name: string): boolean {
  return name.startsWith('~/') && !name.startsWith('~/.cargo/')
}

function words(text: string): string[] {
  return text.split(/[\s,|]+/).filter((word) => word !== '')
}

const LOGIN = /_auth|_password|token|:\/\/[^\s/]*@/i

/** With its port: a rule with a port also lets internal addresses through. */
function hostOf(address: string): string[] {
  if (/^(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(address)) return [`${address}:443`]
  const url = parseUrl(address)
  if (!/^https?:\/\//.test(address) || url === undefined) return []
  const { hostname, port, protocol } = url
  return [`${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`]
}

async function output(io: ProcessIo, [file, ...args]: readonly [string, ...string[]]): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(io.environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const signal = new AbortController().signal
  const { exitCode, stdout } = await runCommand({ file, args, env, cwd: io.home, timeoutMs: MAX_MS, signal })
  return exitCode === 0 ? stdout.text.trim() : ''
}
