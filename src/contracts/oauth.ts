/** Client credentials for a server behind OAuth 2. */
export type OAuthSettings = {
  readonly clientId: string
  /** In a file `${VARIABLE}`. */
  readonly clientSecret: string
  /** The only authorization server that gets them. */
  readonly issuer: string
  /** What is asked for; by default what the server names. With spaces between them. */
  readonly scopes?: string
}
