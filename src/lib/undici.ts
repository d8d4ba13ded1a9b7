/**
 * What is used of undici. It is CommonJS: in the bundle a lazy import of the package itself would give only its default
 * export, a lazy import of this module gives these names.
 */
export { Agent, buildConnector, EnvHttpProxyAgent, fetch, Headers, ProxyAgent, request } from 'undici'
