import type { Page, Route } from 'playwright-core'

/**
 * Stands in for Stripe in the browser: its script, the iframe with the card form, the 3D Secure
 * challenge and the API they call, served in place of js.stripe.com, hooks.stripe.com and
 * api.stripe.com. The API is the server's stand-in. Undocumented options throw.
 */
export async function servePayments(
  page: Page,
  provider: {
    url: string
    /** Answers the 3D Secure challenge. */
    authenticate: (payment_intent: string, confirmed: boolean) => void
  },
) {
  const context = page.context()
  const html = (route: Route, body: string) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><html lang="en">${body}` })
  await context.route('https://js.stripe.com/**', (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/endive/stripe.js')
      return route.fulfill({ contentType: 'text/javascript', body: `(${fakeStripeScript})()` })
    if (pathname === '/fields.html') return html(route, CARD_FORM)
    return route.fulfill({ status: 404 })
  })
  await context.route('https://hooks.stripe.com/**', (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const intent = searchParams.get('payment_intent') ?? ''
    if (pathname === '/3d_secure_2/question') return html(route, challengePage(intent))
    provider.authenticate(intent, searchParams.get('confirmed') === 'yes')
    return html(route, CHALLENGE_DONE)
  })
  await context.route('https://api.stripe.com/**', async (route) => {
    const request = route.request()
    const { pathname, search } = new URL(request.url())
    const answer = await fetch(`${provider.url}${pathname}${search}`, {
      method: request.method(),
      headers: { 'content-type': request.headers()['content-type'] ?? 'text/plain' },
      ...(request.postData() !== null && { body: request.postData() }),
    })
    await route.fulfill({
      status: answer.status,
      headers: { 'access-control-allow-origin': '*', 'content-type': 'application/json' },
      body: await answer.text(),
    })
  })
}

/** Runs in the page. */
function fakeStripeScript() {
  type Callback = (event: unknown) => void
  type Failure = { type: string; message: string; code?: string }
  type Answer = { error?: Failure; paymentMethod?: { id: string } }

  class IntegrationError extends Error {
    override name = 'IntegrationError'
  }
  const allowOnly = (what: string, given: object, allowed: string[]) => {
    for (const name of Object.keys(given))
      if (!allowed.includes(name)) throw new IntegrationError(`${what} takes no ${name}`)
  }

  function Stripe(key: string) {
    if (!/^pk_(test|live)_\w+$/.test(key)) throw new IntegrationError('Invalid publishable key')

    function elements(options: Record<string, unknown>) {
      allowOnly('elements', options, [
        'mode',
        'currency',
        'paymentMethodCreation',
        'allowedPaymentMethodTypes',
        'appearance',
      ])
      if (options.mode !== 'setup') throw new IntegrationError('The mode here is setup')
      let frame: HTMLIFrameElement | undefined
      let submitted = false

      const callFrame = (what: string, more: object = {}) =>
        new Promise<Answer>((resolve) => {
          const id = crypto.randomUUID()
          const heard = (e: MessageEvent) => {
            if (e.origin !== 'https://js.stripe.com' || e.data.id !== id) return
            removeEventListener('message', heard)
            resolve(e.data.answer)
          }
          addEventListener('message', heard)
          frame!.contentWindow!.postMessage({ id, what, ...more }, 'https://js.stripe.com')
        })

      function create(type: string, given: object = {}) {
        if (type !== 'payment') throw new IntegrationError(`There is no element ${type} here`)
        allowOnly('the payment element', given, ['layout', 'wallets'])
        const listeners = new Map<string, Callback>()
        const element = {
          on(event: string, callback: Callback) {
            listeners.set(event, callback)
            return element
          },
          once: (event: string, callback: Callback) => element.on(event, callback),
          off(event: string) {
            listeners.delete(event)
            return element
          },
          mount(node: HTMLElement) {
            frame = document.createElement('iframe')
            frame.title = 'Secure payment input frame'
            frame.src = 'https://js.stripe.com/fields.html'
            frame.style.cssText = 'border: 0; width: 100%; height: 150px; display: block'
            frame.onload = async () => {
              await callFrame('look', { appearance: options.appearance })
              listeners.get('ready')?.({ elementType: 'payment' })
            }
            node.append(frame)
          },
          update: (more: object) => allowOnly('the payment element', more, ['layout', 'wallets']),
          unmount: () => frame?.remove(),
          destroy() {
            frame?.remove()
            frame = undefined
          },
        }
        return element
      }
      return {
        create,
        getElement: () => null,
        update(more: Record<string, unknown>) {
          Object.assign(options, more)
          if (frame?.contentWindow) void callFrame('look', { appearance: options.appearance })
        },
        async submit() {
          if (!frame) throw new IntegrationError('Nothing is mounted')
          const answer = await callFrame('submit')
          submitted = !answer.error
          return answer
        },
        take() {
          if (options.paymentMethodCreation !== 'manual')
            throw new IntegrationError('paymentMethodCreation is not manual')
          if (!submitted) throw new IntegrationError('elements.submit() must be called before')
          submitted = false
          return callFrame('take', { key })
        },
      }
    }

    const fetchIntent = async (secret: string) => {
      const id = secret.split('_secret_')[0]
      const query = new URLSearchParams({ key, client_secret: secret })
      const answer = await fetch(`https://api.stripe.com/v1/payment_intents/${id}?${query}`)
      return await answer.json()
    }

    return {
      elements,
      registerAppInfo() {},
      _registerWrapper() {},
      createToken() {},
      confirmCardPayment() {},
      createPaymentMethod(given: { elements: ReturnType<typeof elements> }) {
        allowOnly('createPaymentMethod', given, ['elements'])
        return given.elements.take()
      },
      async retrievePaymentIntent(secret: string) {
        const intent = await fetchIntent(secret)
        return intent.error ? { error: intent.error } : { paymentIntent: intent }
      },
      async handleNextAction(given: { clientSecret: string }) {
        allowOnly('handleNextAction', given, ['clientSecret'])
        const intent = await fetchIntent(given.clientSecret)
        if (intent.error) return { error: intent.error }
        if (intent.status !== 'requires_action')
          throw new IntegrationError(`The PaymentIntent is ${intent.status}`)
        const frame = document.createElement('iframe')
        frame.title = '3D Secure'
        frame.src = `https://hooks.stripe.com/3d_secure_2/question?payment_intent=${intent.id}`
        frame.style.cssText =
          'position: fixed; inset: 0; z-index: 2147483647; width: 100%; height: 100%; border: 0; background: #fff'
        document.body.append(frame)
        await new Promise<void>((resolve) => {
          const heard = (e: MessageEvent) => {
            if (e.origin !== 'https://hooks.stripe.com' || e.data !== 'answered') return
            removeEventListener('message', heard)
            resolve()
          }
          addEventListener('message', heard)
        })
        frame.remove()
        const now = await fetchIntent(given.clientSecret)
        return now.status === 'succeeded'
          ? { paymentIntent: now }
          : { error: now.last_payment_error }
      },
    }
  }
  Object.assign(window, { Stripe: Object.assign(Stripe, { version: 'endive' }) })
}

const CARD_FORM = `<title>Card</title>
<style>
  body { margin: 0; font: 14px/20px system-ui; color: var(--colorText) }
  form { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; padding: 2px }
  label { display: grid; gap: 4px }
  label:first-child { grid-column: 1 / -1 }
  input { font: inherit; min-width: 0; padding: 8px; border: 1px solid #888; border-radius: 6px;
    color: inherit; background: var(--colorBackground) }
</style>
<form>
  <label>Card number <input id="number" inputmode="numeric" autocomplete="cc-number"></label>
  <label>Expiration date <input id="expiry" placeholder="MM / YY" autocomplete="cc-exp"></label>
  <label>Security code <input id="cvc" autocomplete="cc-csc"></label>
</form>
<script>
  const value = (id) => document.getElementById(id).value.trim()
  const handlers = {
    look({ appearance }) {
      for (const [name, color] of Object.entries(appearance?.variables ?? {}))
        document.documentElement.style.setProperty('--' + name, color)
      return {}
    },
    submit() {
      if (value('number') && value('expiry') && value('cvc')) return {}
      return { error: { type: 'validation_error', message: 'Your card number is incomplete.' } }
    },
    async take({ key }) {
      const [month, year] = value('expiry').split('/')
      const answer = await fetch('https://api.stripe.com/v1/payment_methods', {
        method: 'POST',
        body: new URLSearchParams({
          key,
          type: 'card',
          'card[number]': value('number').replaceAll(' ', ''),
          'card[exp_month]': String(Number(month)),
          'card[exp_year]': String(2000 + Number(year)),
          'card[cvc]': value('cvc'),
        }),
      })
      const body = await answer.json()
      return answer.ok ? { paymentMethod: body } : { error: body.error }
    },
  }
  addEventListener('message', async (e) => {
    const answer = await handlers[e.data.what](e.data)
    e.source.postMessage({ id: e.data.id, answer }, e.origin)
  })
</script>`

const challengePage = (intent: string) => `<title>Your bank</title>
<h1>Your bank asks whether this is you</h1>
<a href="/3d_secure_2/answer?payment_intent=${intent}&confirmed=yes">Complete</a>
<a href="/3d_secure_2/answer?payment_intent=${intent}&confirmed=no">Fail</a>`

const CHALLENGE_DONE = `<title>Thank you</title><script>parent.postMessage('answered', '*')</script>`
