/** The lines of JSON in a response, as they come. */
export async function* jsonLines(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  while (true) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line) as unknown
  }
}
