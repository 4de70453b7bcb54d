import { expect, it } from 'vitest'
import { checkSignature } from './s3.ts'

/**
 * Amazon's examples: "Signature calculations for the Authorization header: transferring payload in a single
 * chunk", in the API reference of S3.
 */
const key = {
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
type Example = {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
  signed: string
  signature: string
}
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const published: Record<string, Example> = {
  'the first bytes of an object': {
    method: 'GET',
    url: '/test.txt',
    headers: { range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY },
    signed: 'host;range;x-amz-content-sha256;x-amz-date',
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  'a new object': {
    method: 'PUT',
    url: '/test%24file.text',
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    body: 'Welcome to Amazon S3.',
    signed: 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  'a parameter without a value': {
    method: 'GET',
    url: '/?lifecycle',
    headers: { 'x-amz-content-sha256': EMPTY },
    signed: 'host;x-amz-content-sha256;x-amz-date',
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  'several parameters': {
    method: 'GET',
    url: '/?prefix=J&max-keys=2',
    headers: { 'x-amz-content-sha256': EMPTY },
    signed: 'host;x-amz-content-sha256;x-amz-date',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
}
const at = Date.UTC(2013, 4, 24)
const check = (example: Example, body = example.body ?? '', now = at) => {
  const { method, url, headers, signed, signature } = example
  const credential = `${key.access_key_id}/20130524/us-east-1/s3/aws4_request`
  checkSignature(
    {
      method,
      url,
      headers: {
        ...headers,
        host: 'examplebucket.s3.amazonaws.com',
        'x-amz-date': '20130524T000000Z',
        authorization: `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${signed},Signature=${signature}`,
      },
      body: Buffer.from(body),
    },
    key,
    now,
  )
}

it.each(Object.entries(published))('accepts the published signature of %s', (_, example) => {
  check(example)
})

it.each(Object.entries(published))('rejects it for anything else: %s', (_, example) => {
  expect(() => check({ ...example, url: '/other' })).toThrow('SignatureDoesNotMatch')
  expect(() => check({ ...example, method: 'DELETE' })).toThrow('SignatureDoesNotMatch')
  expect(() => check(example, 'another body')).toThrow('XAmzContentSHA256Mismatch')
  expect(() => check({ ...example, headers: { ...example.headers, 'x-amz-acl': 'x' } })).toThrow(
    'AccessDenied',
  )
  expect(() => check(example, undefined, at + 16 * 60_000)).toThrow('RequestTimeTooSkewed')
})
