/** What npm's error codes mean for somebody who has to mend it. */
const CAUSES = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|CERT_(?:HAS_EXPIRED|UNTRUSTED)|DEPTH_ZERO/,
    'the registry shows a certificate that Node does not know. Name the file of your CA in NODE_EXTRA_CA_CERTS',
  ],
  [/E407|\b407\b/, 'the proxy asks for a login. Put it into HTTPS_PROXY'],
  [/E401|E403|ENEEDAUTH/, 'the registry asks for a login. Set npm_config_userconfig, or NODE_AUTH_TOKEN'],
  [/E404|ETARGET/, 'the registry lacks a locked package. Name another one in npm_config_registry'],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET|EIDLETIMEOUT/,
    'the registry cannot be reached. Set HTTPS_PROXY for a proxy, npm_config_registry for a mirror',
  ],
  [/ENOSPC/, 'the disk is full'],
]

/** Why a step of the set-up ended, in a sentence: from what it printed, its error or the time that it had. */
export function causeOf({ status, signal, error, stderr }, seconds) {
  const known = CAUSES.find(([words]) => words.test(stderr ?? ''))?.[1]
  const late = error?.code === 'ETIMEDOUT' ? `it was not done after ${seconds} s` : undefined
  const cause =
    known ?? (late && `${late}; most often the registry cannot be reached. Set HTTPS_PROXY or npm_config_registry`)
  return `${cause ?? `it ended with ${error?.code ?? signal ?? status}`}. A release tag needs no packages.`
}
