import { ServiceError } from '../errors'

/** The refusal of a credential. The message says which rule it breaks and how to mend that, and holds nothing of the credential. */
export function unauthorized(publicMessage: string): ServiceError {
  return new ServiceError('unauthorized', publicMessage)
}
