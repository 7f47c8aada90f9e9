import { ServiceError } from '../errors'

/** The refusal of a credential. The message names the broken rule and its fix, and quotes nothing of the credential. */
export function unauthorized(publicMessage: string): ServiceError {
  return new ServiceError('unauthorized', publicMessage)
}
