const SECRET = /SECRET|PASSWORD|PASSPHRASE$|_KEY$|_HEADERS$|TOKEN|SMTP_URL|EMAIL_VENDOR_URL/

/** Removes values of secret environment variables from a library's message. */
export function hideSecrets(text: string, environment: Record<string, string | undefined>) {
  for (const [name, value] of Object.entries(environment))
    if (value && value.length >= 4 && SECRET.test(name)) text = text.replaceAll(value, '***')
  return text
}
