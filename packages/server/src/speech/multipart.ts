import type { Question } from './ask.ts'

/** A form with a file in it, to be spread into a question. */
export async function multipart(
  fields: Record<string, string | undefined>,
  file: { field: string; name: string; type: string; bytes: Buffer },
): Promise<Pick<Question, 'headers' | 'body'> & { headers: Record<string, string> }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value) form.append(name, value)
  form.append(file.field, new Blob([new Uint8Array(file.bytes)], { type: file.type }), file.name)
  const written = new Response(form)
  return {
    headers: { 'content-type': written.headers.get('content-type')! },
    body: Buffer.from(await written.arrayBuffer()),
  }
}
