import { z } from 'zod'
import { ofAccount, TextOrNull, versioned } from '../wire/common.ts'
import { endpoints, updates, views } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { MASK } from '../wire/mask.ts'
import { t } from '../wire/text.ts'

export const MODEL_KEY_AGAIN = t('Enter the key again: it is sent to no other server than before')
export const NO_LANGUAGE_MODEL = t('The account has no language model yet')

const ADDRESS = t('Enter a URL that starts with https:// or http://')

const Address = TextOrNull(500).superRefine((text, ctx) => {
  if (!text) return
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return ctx.addIssue(ADDRESS)
  if (url.username || url.password) ctx.addIssue(t('Remove the username and password from the URL'))
})

/** A language model that speaks the chat-completions protocol. It plays callers and grades runs. */
export const LanguageModel = z.object({
  /** Address of the server; null until a model is set. What needs a model is off until then. */
  url: hidden(StringOrNull, 'url'),
  model: StringOrNull,
  /** A mask if there is a key. */
  api_key: hidden(StringOrNull),
})
export type LanguageModel = z.infer<typeof LanguageModel>

const LanguageModelBody = z
  .object({
    /** Address up to `/v1`, or with `/chat/completions`. Null turns the model off and removes its key. */
    url: Address,
    model: TextOrNull(200),
    /** Key, or null for none. The mask, or omitting it, keeps the stored one for the same server. */
    api_key: z
      .string()
      .trim()
      .max(2_000)
      .regex(new RegExp(`^(?:[\\x21-\\x7e]*|${MASK})$`), t('The key contains invalid characters'))
      .nullable()
      .transform((key) => key || null)
      .optional(),
  })
  .superRefine(({ url, model }, ctx) => {
    if (url && !model)
      ctx.addIssue({ code: 'custom', path: ['model'], message: t('Enter the name of the model') })
  })

export const LanguageModelTest = z.object({
  is_ok: z.boolean(),
  /** The model's answer, or the reason why there is none. */
  text: z.string(),
  ms: Integer,
  /** Tokens that the model reports, or one for every 4 characters if it does not. */
  tokens: Integer,
})
export type LanguageModelTest = z.infer<typeof LanguageModelTest>

const one = { ...ofAccount('/LanguageModel'), own: true } as const

export const languageModel = endpoints({
  view: {
    ...one,
    ...views,
    summary: 'Get the language model of an account',
    response: LanguageModel.extend(versioned),
  },
  update: {
    ...one,
    ...updates,
    summary: 'Set the language model of an account',
    body: LanguageModelBody,
  },
  test: {
    ...one,
    path: `${one.path}/Test`,
    method: 'POST',
    summary: 'Ask the language model of an account for a word',
    response: LanguageModelTest,
  },
})
