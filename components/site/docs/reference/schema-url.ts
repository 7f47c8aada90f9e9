/** The page of all objects of the API. */
export const OBJECTS_PATH = '/docs/api/objects'

/** The address of a named object. */
export const schemaUrl = (name: string): string => `${OBJECTS_PATH}#schema-${name}`
