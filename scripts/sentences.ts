/**
 * The sentences that the specification words, letter by letter, `{…}` for what differs. `npm test` fails for those that
 * no test had the server or a screen say.
 */
export const SENTENCES = {
  access: [
    "That page doesn't exist.",
    'Password must:',
    'Be at least {n} characters long',
    'Contain at least one number',
    'Contain at least one special character',
    'Passwords do not match',
    'CAPSLOCK is enabled!',
    'Login credentials are incorrect',
    'The confirmation password does not match the new password. Please ensure both passwords are identical.',
    'The password must be at least {n} characters long.',
    'Password must contain a letter.',
    'New password was successfully set.',
    'Your session has expired. Please log in and try again.',
    'You must log in to view that page',
    'The server cannot be reached',
    'Something went wrong, please try again',
    'Something went wrong, please try again.',
    "You've successfully logged out.",
    'Invalid state',
    '{provider} is not a valid OAuth provider',
    'You do not have access.',
    'You do not have access to this resource',
    '{text} copied to clipboard',
    'Unable to copy {text}, please select the text and right click to copy',
    'BYO Services',
    'No data.',
    'Total: {n} records',
  ],
  users: [
    'No users.',
    'User created successfully',
    'User updated successfully',
    'Deleted user {name}',
    'Invalid password. {rules}',
    'Cannot create an account. Service Provider has no accounts.',
  ],
  settings: [
    'Invalid private network CIDR "{entry}"',
    'You do not have permissions to manage Settings',
    'Added new service provider {name}',
    'Settings updated',
    'Admin settings updated successfully',
    'Tts Cache successfully cleaned',
    'API key created',
    'API key deleted',
  ],
  accounts: [
    'No Accounts.',
    'You do not have permissions to manage all accounts',
    'You do not have permissions to make changes to this Account',
    'The name you have entered is already in use on another one of your accounts.',
    'The SIP Realm you have entered is already in use on another one of your accounts.',
    'You must type the delete message correctly in order to delete your account.',
    'Invalid service key file, could not parse as JSON.',
    'Sip realm is not set for the account.',
    'Account created successfully',
    'Account updated successfully',
    'Deleted account {name}',
    'Webhook signing secret was successfully generated',
    'Bucket Credential is valid.',
  ],
  subscriptions: [
    'The additional capacity you that you requested could not be granted due to a failure processing payment. Please configure a valid credit card for your account and the upgrade will be automatically processed',
    'Your requested changes are being processed. Please do not leave the page or hit the back button until complete.',
    'Payment completed successfully',
    'Downgrade to free plan completed successfully',
    'Your subscription capacity has been successfully modified.',
  ],
  applications: [
    'No applications.',
    'You must create an account before you can create an application.',
    'Add an application',
    'Edit application',
    'The name you have entered is already in use on another one of your applications.',
    'Application created successfully',
    'Application updated successfully',
    'Deleted application {name}',
    'Failed to read file: {message}',
  ],
  clients: [
    'No sip clients.',
    'You need to associate a sip realm to this account in order to add sip credentials.',
    'Are you sure you want to delete the sip client {name}?',
    'Belongs to account',
    'Client created successfully',
    'Client updated successfully',
    'Client deleted successfully',
    'Deleted sip client {name}',
  ],
  calls: [
    'Show latencies',
    'There is no log for this call',
    'No logs found',
    'Failed to copy logs',
    'Logs copied to clipboard',
    'Successfully deleted record',
  ],
  carriers: [
    'No Carriers.',
    'Used by',
    'Status error',
    'Gateways error',
    'Static IP Whitelist trunk type requires at least one inbound gateway.',
    'Auth and Registration trunk types require at least one outbound gateway.',
    'You must provide at least one outbound SIP Gateway.',
    'Auth Trunk requires both username and password credentials.',
    'A fully qualified domain name may only be used for outbound calls.',
    'Please provide a valid IP address or fully qualified domain name.',
    'Each SIP gateway must have a unique IP address.',
    'You must provide at least one SIP Gateway.',
    'Please provide a valid SIP Proxy domain or IP address.',
    'When using an FQDN, you must use a subdomain (e.g. {host}).',
    'Please provide a valid inbound IP address or fully qualified domain name.',
    'Please provide a valid outbound IP address or fully qualified domain name.',
    'Each inbound SMPP gateway must have a unique IP address.',
    'Each outbound SMPP gateway must have a unique IP address.',
    'You do not have permissions to delete this Carrier',
    'You do not have permissions to make changes to this Carrier',
    'Carrier created successfully',
    'Carrier updated successfully',
    'Deleted Carrier {name}',
  ],
  speech: [
    'No speech services.',
    'Not Started',
    'In order to test your credentials you need to enable TTS/STT.',
    'You must provide at least one custom voice.',
    'You do not have permissions to delete these Speech Credentials',
    'You do not have permissions to make changes to these Speech Credentials',
    'Speech credential created successfully',
    'Speech credential updated successfully',
    'Deleted speech service {vendor}',
  ],
  'phone numbers': [
    'No phone numbers.',
    'Add a phone number',
    'Edit phone number',
    'You must create a carrier before you can create a phone number.',
    'You must create an account before you can create a phone number.',
    'Select an account to assign applications to phone numbers.',
    'The phone number you have entered is already in use.',
    'Are you sure you want to delete the phone number {number}?',
    'Updating number routing...',
    'Number routing updated successfully',
    'Phone number created successfully',
    'Phone number updated successfully',
    'Deleted phone number {number}',
  ],
  'Microsoft Teams': [
    'Add a Microsoft Teams Tenant',
    'Edit Microsoft Teams Tenant',
    'The domain name you have entered is already in use.',
    'Microsoft Teams Tenant created successfully',
    'Microsoft Teams Tenant updated successfully',
    'Deleted Microsoft Teams Tenant {name}',
  ],
  routing: [
    'Outbound call routing',
    'You do not have permissions to manage all outbound call routes',
    'System Default Route',
    'There are no available carriers defined for this account',
    'There are no available carriers',
    'Least cost routing successfully created',
    'Least cost routing rule successfully updated',
    'Deleted outbound call route {name}',
    'Deleted least cost routing {name}',
  ],
} as const

/** Sentences of the specification that nothing says, with the reason. */
export const NEVER_SAID = {
  'SIP gateway successfully deleted':
    'a gateway is deleted with the save of its carrier, which says so',
  'Least cost routing rule successfully deleted':
    'a route is deleted with the save of its table, which says so',
  'Filter lcrs': 'its label is “Filter routing tables”, the name of what it filters',
  'Edit Speech Service': 'titles are written as sentences: “Edit speech service”',
  'Least cost routing successfully updated': 'the save of a table says that of its rules',
}

const all: readonly string[] = Object.values(SENTENCES).flat()

const escaped = (text: string) => text.replace(/[.*+?^$()[\]\\|]/g, String.raw`\$&`)

/** Sources of regular expressions that match each sentence in a text that says nothing else. */
export const patterns = () =>
  all.map((sentence) => [
    sentence,
    `^${escaped(sentence)
      .replaceAll('{n}', '[0-9.,]+')
      .replace(/\{\w+\}/g, '.+')}$`,
  ])

const matchers = patterns().map(([sentence, source]) => ({
  sentence: sentence!,
  pattern: new RegExp(source!),
}))

/** The sentences that a text is. */
export const sentencesIn = (text: string) =>
  matchers.filter(({ pattern }) => pattern.test(text)).map(({ sentence }) => sentence)

/** Those that nothing has said. */
export const unsaid = (said: readonly string[]) =>
  all.filter((sentence) => !said.includes(sentence))
