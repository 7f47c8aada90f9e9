/** The JSON of an answer. Throws what the service says where it refuses. */
export async function answerOf<Body>(response: Response): Promise<Body> {
  const body: Body & { error?: string } = await response.json()
  if (!response.ok)
    throw new Error(`${new URL(response.url).pathname} answered ${response.status}: ${body.error ?? 'no reason given'}`)
  return body
}
