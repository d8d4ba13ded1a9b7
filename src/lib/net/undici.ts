/**
 * Our exports of undici. It is CommonJS: in the bundle, a lazy import of the package itself would have only a default
 * export, while a lazy import of this module has these names.
 */
export { Agent, buildConnector, EnvHttpProxyAgent, fetch, Headers, ProxyAgent, request } from 'undici'
