import { gitConfigs, userConfigs } from '../../git/places/gitConfigs.ts'
import { gitPlaces } from '../../git/places/gitPlaces.ts'
import { decodeUri } from '../../lib/net/parseUrl.ts'
import type { Secret } from '../../lib/secrets/secretForms.ts'

/** The secrets that git uses to log in for these folders: values of `extraheader`, passwords and tokens in URLs. */
export function gitLogins(workspaces: readonly string[], home: string | undefined): Secret[] {
  const paths = [...workspaces.flatMap((workspace) => gitPlaces(workspace).configs), ...userConfigs(home)]
  const values = gitConfigs(paths, home).flatMap(({ text }) => [...headerSecrets(text), ...urlSecrets(text)])
  return [...new Set(values)].map((value) => ({ name: 'GIT_LOGIN', value }))
}

/** `AUTHORIZATION: basic …` is user and password in base64. A header in a comment is as secret. */
function headerSecrets(text: string): string[] {
  const headers = [...text.matchAll(/\bextraheader\s*=\s*"?[\w-]+:\s*(?:(\w+)\s+)?([^\s"]+)/gi)]
  return headers.flatMap(([, scheme = '', value = '']) => {
    if (scheme.toLowerCase() !== 'basic') return [value]
    const login = Buffer.from(value, 'base64').toString()
    return [value, login.slice(login.indexOf(':') + 1)]
  })
}

/** Some hosts take a token as the user name; `git@` is not one. */
function urlSecrets(text: string): string[] {
  return [...text.matchAll(/\w:\/\/([^\s/"@:]*)(?::([^\s/"@]*))?@/g)].flatMap(([, user = '', password]) => {
    const token = user.length >= LONG_USER ? [user] : []
    return [...token, ...(password === undefined ? [] : [password])].map(decodeUri)
  })
}

const LONG_USER = 16
