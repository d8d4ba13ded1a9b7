import type { ClientOptions } from '@anthropic-ai/sdk/client'
import type { Messages } from '@anthropic-ai/sdk/resources/messages'
import { messageOf, RunError } from '../../contracts/errors.ts'
import { PROVIDER_NAMES, type Provider } from '../../contracts/model.ts'
import { type LoadedPackage, loadPackage, type PackagePlaces } from '../../lib/fs/loadPackage.ts'
import type { KeyHelper } from '../AnthropicOptions.ts'

export type CloudProvider = Exclude<Provider, 'anthropic'>

/** Opens the Messages API of the cloud. Options as for the SDK, without a credential. */
export type OpenMessages = (options: ClientOptions) => Promise<Messages>

export type Cloud = { readonly baseURL: string; readonly package: string; readonly open: OpenMessages }

type Variables = PackagePlaces['environment']

/** The only scope that Google's endpoint for models accepts. */
const GOOGLE_SCOPE = 'https://www.googleapis.com/auth/cloud-platform'

/**
 * The official SDK of a cloud, an optional package, and the address that it asks. Credentials come from the operator's
 * variables first, then from where the cloud's own tools look. Throws `RunError('config')` if the package or a setting is missing.
 */
export function openCloud(
  provider: CloudProvider,
  places: PackagePlaces & { readonly baseUrl?: string | undefined; readonly helper?: KeyHelper | undefined },
): Cloud {
  const { environment, helper } = places
  const name = `@anthropic-ai/${provider}-sdk`
  const baseURL = places.baseUrl ?? usualUrl(provider, environment)
  const sdk = loadPackage<Sdk>(name, PROVIDER_NAMES[provider], places)
  return { baseURL, package: `${name} ${sdk.version}`, open: OPENERS[provider](sdk, environment, helper) }
}

/** A client of a cloud, by the name of its class. */
type Client = new (options: object) => { readonly messages: Messages }
type Sdk = Readonly<Record<'AnthropicBedrock' | 'AnthropicVertex' | 'AnthropicFoundry', Client>>

type Opener = (sdk: LoadedPackage<Sdk>, environment: Variables, helper: KeyHelper | undefined) => OpenMessages

const OPENERS: Readonly<Record<CloudProvider, Opener>> = {
  bedrock:
    ({ exports }, environment) =>
    async (options) =>
      new exports.AnthropicBedrock({
        ...options,
        awsRegion: awsRegion(environment),
        apiKey: environment['AWS_BEARER_TOKEN_BEDROCK'] || null,
        ...awsKeys(environment),
      }).messages,
  vertex: (sdk, environment) => async (options) => {
    const { GoogleAuth } = sdk.require('google-auth-library')
    const keyFilename = environment['GOOGLE_APPLICATION_CREDENTIALS'] || undefined
    const project = googleProject(environment)
    const auth = new GoogleAuth({ scopes: GOOGLE_SCOPE, keyFilename, ...(project && { projectId: project }) })
    const authClient = await auth.getClient().catch((error: unknown) => {
      throw new RunError('auth', `there are no usable Google credentials: ${messageOf(error)}`, { cause: error })
    })
    const projectId = project ?? (await auth.getProjectId().catch(() => undefined))
    if (projectId === undefined)
      throw new RunError('config', 'Vertex AI needs a project: set ANTHROPIC_VERTEX_PROJECT_ID')
    const region = environment['CLOUD_ML_REGION'] || 'global'
    return new sdk.exports.AnthropicVertex({ ...options, region, projectId, authClient }).messages
  },
  foundry:
    ({ exports }, environment, helper) =>
    async (options) => {
      const apiKey = environment['ANTHROPIC_FOUNDRY_API_KEY'] || undefined
      if (apiKey === undefined && helper === undefined) {
        const what = 'set ANTHROPIC_FOUNDRY_API_KEY, or let run.apiKeyHelper print an Entra token'
        throw new RunError('auth', `Microsoft Foundry needs a key: ${what}`)
      }
      const credential = apiKey === undefined ? { azureADTokenProvider: helper?.get } : { apiKey }
      return new exports.AnthropicFoundry({ ...options, resource: null, apiKey: null, ...credential }).messages
    },
}

function usualUrl(provider: CloudProvider, environment: Variables): string {
  if (provider === 'bedrock') return `https://bedrock-runtime.${awsRegion(environment)}.amazonaws.com`
  if (provider === 'foundry') {
    const resource = environment['ANTHROPIC_FOUNDRY_RESOURCE'] || ''
    if (/^[\w-]+$/.test(resource)) return `https://${resource}.services.ai.azure.com/anthropic`
    throw new RunError('config', 'Microsoft Foundry needs ANTHROPIC_FOUNDRY_RESOURCE or ANTHROPIC_FOUNDRY_BASE_URL')
  }
  const region = environment['CLOUD_ML_REGION'] || 'global'
  if (region === 'global') return 'https://aiplatform.googleapis.com/v1'
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com/v1`
  return `https://${region}-aiplatform.googleapis.com/v1`
}

function awsRegion(environment: Variables): string {
  const region = environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION']
  if (region !== undefined && /^[a-z\d-]+$/.test(region)) return region
  throw new RunError('config', 'Amazon Bedrock needs a region: set AWS_REGION')
}

/** Both keys of the environment; without them the SDK asks AWS's own chain: profiles, roles, the metadata service. */
function awsKeys({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN }: Variables) {
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return {}
  return {
    awsAccessKey: AWS_ACCESS_KEY_ID,
    awsSecretKey: AWS_SECRET_ACCESS_KEY,
    awsSessionToken: AWS_SESSION_TOKEN || null,
  }
}

function googleProject(environment: Variables): string | undefined {
  const names = ['ANTHROPIC_VERTEX_PROJECT_ID', 'GOOGLE_CLOUD_PROJECT', 'GCLOUD_PROJECT']
  return names.map((name) => environment[name]).find((project) => project !== undefined && project !== '')
}
