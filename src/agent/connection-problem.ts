/** Descriptions of what is wrong with a server's certificate, by OpenSSL's code. */
const certificates: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its issuer is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'its issuer is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is not known here',
}
const trustIt =
  'name the file of its authority in NODE_EXTRA_CA_CERTS (in the environment, not in .env)'

const others: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired: renew it there',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: check the clocks of both machines',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name: use the name that it is for',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS: check the scheme of the address',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it speaks no TLS: check the scheme of the address',
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up just now',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  ECONNRESET: 'the connection broke',
}

/**
 * Why a server could not be reached, in words for the operator that hold nothing but what the
 * network said, and what to do where that is known. Null where the error does not say.
 */
export function whyUnreachable(error: unknown): string | null {
  for (const code of codesOf(error)) {
    const flaw = certificates[code]
    if (flaw !== undefined) return `its certificate is not trusted, ${flaw}: ${trustIt}`
    if (others[code] !== undefined) return others[code]
  }
  return null
}

/** The codes of an error and of what caused it. */
export function codesOf(error: unknown): string[] {
  const codes: string[] = []
  for (let one: unknown = error; one instanceof Error && codes.length < 10; one = one.cause) {
    if ('code' in one && typeof one.code === 'string') codes.push(one.code)
    if (one instanceof AggregateError) for (const inner of one.errors) codes.push(...codesOf(inner))
  }
  return codes
}
