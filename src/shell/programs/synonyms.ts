import type { Word } from '../../contracts/subject.ts'
import { memoize } from '../../lib/memoize.ts'
import { literalWord, textOf } from './literalWord.ts'

/** Synonyms of a program's words, from its own help. A group ends with `;`. `-` means no word, `*` any word. */
const TABLE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bun: 'create * = x *; install * = i * = add * = a *; install = i; remove = rm',
    bundle: 'install = i; exec = e; update = u; config = c',
    composer: 'install = i; update = u = upgrade; require = r; remove = rm = uninstall; run-script = run; global = -',
    docker:
      'push = image push; pull = image pull; build = image build = buildx build = builder build = buildx b; tag = image tag; ' +
      'save = image save; load = image load; import = image import; history = image history; images = image ls = image list; ' +
      'rmi = image rm = image remove; run = container run; exec = container exec; rm = container rm = container remove; ' +
      'cp = container cp; start = container start; stop = container stop; kill = container kill; restart = container restart; ' +
      'create = container create; attach = container attach; logs = container logs; commit = container commit; ' +
      'export = container export; update = container update; rename = container rename; ' +
      'ps = container ls = container list = container ps; volume rm = volume remove; network rm = network remove; ' +
      'context rm = context remove; service rm = service remove; stack rm = stack remove = stack down; stack deploy = stack up; ' +
      'secret rm = secret remove; node rm = node remove',
    gcloud: 'alpha = beta = preview = -',
    gh:
      'release create = release new; pr create = pr new; issue create = issue new; repo create = repo new; ' +
      'pr checkout = pr co = co; pr list = pr ls; issue list = issue ls; release list = release ls; repo list = repo ls; ' +
      'run list = run ls; secret delete = secret remove; variable delete = variable remove; codespace = cs; ' +
      'extension = extensions = ext',
    helm:
      'uninstall = delete = del = un; list = ls; show = inspect; pull = fetch; history = hist; dependency = dep = dependencies; ' +
      'dependency update = dependency up; repo update = repo up; repo remove = repo rm; plugin install = plugin add; ' +
      'plugin uninstall = plugin remove = plugin rm; plugin update = plugin up',
    kubectl:
      'namespace = namespaces = ns; pod = pods = po; deployment = deployments = deploy; service = services = svc; ' +
      'secret = secrets; configmap = configmaps = cm; statefulset = statefulsets = sts; ingress = ingresses = ing; ' +
      'node = nodes = no; persistentvolumeclaim = persistentvolumeclaims = pvc; persistentvolume = persistentvolumes = pv',
    pnpm:
      'install * = i * = add *; install = i; update = up = upgrade; remove = rm = uninstall = un; test = t = tst; ' +
      'run = run-script = rum = urn; list = ls = ll = la; link = ln; rebuild = rb; config = c; recursive = multi = m = -; ' +
      'create * = dlx *; install-test = it = install; view = info = show = v; owner = author; dist-tag = dist-tags; adduser = add-user = login',
    svn:
      'commit = ci; checkout = co; delete = del = remove = rm; copy = cp; move = mv = rename = ren; update = up; switch = sw; ' +
      'propset = pset = ps; propdel = pdel = pd',
    uv: 'tool run = x',
    yarn: 'create * = dlx *; publish = npm publish; tag = npm tag; owner = npm owner; workspace * = -; workspaces foreach = -; workspaces run = -',
  }),
)

/** Another name of the same program. */
const SAME: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    apt: ['apt-get'],
    'apt-get': ['apt'],
    gradle: ['gradlew'],
    gradlew: ['gradle'],
    mvn: ['mvnw'],
    mvnw: ['mvn'],
    nodejs: ['node'],
    pip: ['pip3'],
    pip3: ['pip'],
    python: ['python3'],
    python3: ['python'],
  }),
)

const LIKE: ReadonlyMap<string, string> = new Map([
  ['podman', 'docker'],
  ['nerdctl', 'docker'],
  ['oc', 'kubectl'],
])

/** A command is looked for among this many words, because options before it may have values. */
const PLACES = 5

type Group = readonly (readonly string[])[]

/** The command in each of its equivalent spellings: `docker push x` for `docker image push x`. */
export function synonyms(name: string, argv: readonly Word[]): Word[][] {
  const versioned = /^(?:pip|python)3\.\d+$/.test(name) ? [name.replace(/3.*/, ''), name.replace(/\..*/, '')] : []
  const named = [...(SAME.get(name) ?? []), ...versioned].map((other) => [literalWord(other), ...argv.slice(1)])
  const table = groupsOf(LIKE.get(name) ?? name)
  if (table.length === 0) return named
  const places = [...argv.keys()].filter((index) => index > 0 && /^[^-]/.test(textOf(argv[index])))
  const said = places.map((index) => textOf(argv[index]))
  const found = table.flatMap((group) =>
    places.slice(0, PLACES).flatMap((_, start) => {
      const own = group.find((words) => fits(words, said.slice(start)))
      if (own === undefined) return []
      const taken = places.slice(start, start + own.length)
      const any = said[start + own.indexOf('*')]
      return group
        .filter((other) => other !== own)
        .map((other) => {
          const written = other.map((each) => literalWord(each === '*' ? (any ?? '') : each))
          return argv.flatMap((each, index) => (index === taken[0] ? written : taken.includes(index) ? [] : [each]))
        })
    }),
  )
  return [...named, ...found]
}

function fits(words: readonly string[], said: readonly string[]): boolean {
  return (
    words.length > 0 && words.every((each, index) => (each === '*' ? said[index] !== undefined : said[index] === each))
  )
}

const groupsOf = memoize((name): readonly Group[] =>
  (TABLE.get(name) ?? '')
    .split(';')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('=').map((side) => side.trim().split(' ')))
    .map((group) => group.map((words) => (words[0] === '-' ? [] : words))),
)
