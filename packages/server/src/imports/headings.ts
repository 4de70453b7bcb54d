/** Common headings for the columns, in English and German, beside the names that exports have. */
const WORDS: Record<string, string[]> = {
  account: ['account name', 'Konto', 'Kontoname', 'Accountname'],
  allow_direct_app_calling: ['Direkte Anrufe bei Anwendungen'],
  allow_direct_queue_calling: ['Direkte Anrufe bei Warteschlangen'],
  allow_direct_user_calling: ['Direkte Anrufe bei Benutzern'],
  application: ['app', 'application name', 'Anwendung', 'Anwendungsname', 'Applikation'],
  call_hook: ['calling webhook', 'Anruf-Webhook'],
  call_status_hook: ['call status webhook', 'Anrufstatus-Webhook'],
  carrier: ['carrier name', 'Carriername', 'Netzbetreiber', 'Netzanbieter'],
  description: ['Beschreibung', 'Bemerkung', 'Notiz', 'note', 'notes', 'comment'],
  diversion: ['SIP diversion header', 'SIP-Diversion-Header'],
  dtls_off: ['DTLS aus'],
  dtmf_type: ['DTMF-Typ'],
  e164_leading_plus: ['E.164 leading plus', 'Führendes Plus (E.164)', 'Führendes Plus'],
  email: ['email address', 'E-Mail', 'E-Mail-Adresse', 'Mail'],
  force_change: ['force password change', 'Passwortänderung erzwingen'],
  gateway: ['IP address', 'Gateway-Adresse', 'IP-Adresse'],
  gateway_is_active: ['gateway active', 'Gateway aktiv'],
  inbound: ['Eingehend'],
  inbound_auth_password: ['Passwort eingehend'],
  inbound_auth_username: ['Benutzername eingehend'],
  is_active: ['active', 'Aktiv'],
  is_view_only: ['view-only', 'Nur ansehen', 'Nur lesen'],
  name: ['Bezeichnung'],
  netmask: ['Netzmaske'],
  number: [
    'phone number',
    'phone',
    'telephone',
    'telephone number',
    'DID',
    'Rufnummer',
    'Telefonnummer',
    'Telefon',
    'Nummer',
  ],
  outbound: ['Ausgehend'],
  outbound_sip_proxy: ['outbound proxy', 'Ausgehender SIP-Proxy'],
  pad_crypto: ['Crypto-Padding'],
  password: ['Passwort', 'Kennwort'],
  pattern: ['digit prefix', 'prefix', 'regex', 'Muster', 'Vorwahl', 'Präfix'],
  port: [],
  priority: ['Priorität'],
  protocol: ['Protokoll'],
  queue_event_hook: ['queue event webhook', 'Webhook für Warteschlangenereignisse'],
  record_all_calls: ['Alle Anrufe aufzeichnen'],
  register_from_domain: ['SIP from domain', 'SIP-From-Domain'],
  register_from_user: ['SIP from user', 'SIP-From-Benutzer'],
  register_password: ['Registrierungspasswort'],
  register_public_ip_in_contact: ['Öffentliche IP im Contact'],
  register_sip_realm: ['Registrierungs-Realm'],
  register_username: ['Registrierungsbenutzername', 'Registrierungsname'],
  registration_hook: ['registration webhook', 'Registrierungs-Webhook'],
  remove_ice: ['ICE entfernen'],
  requires_register: ['Registrierung'],
  scope: ['role', 'Geltungsbereich', 'Rolle'],
  send_options_ping: ['OPTIONS-Ping senden'],
  service_provider: ['provider', 'Dienstanbieter', 'Service-Provider'],
  sip_realm: ['realm', 'SIP-Realm', 'SIP-Domain'],
  speech_recognizer_language: ['Sprache der Spracherkennung'],
  speech_recognizer_vendor: ['Anbieter der Spracherkennung'],
  speech_synthesis_language: ['Sprache der Sprachsynthese'],
  speech_synthesis_vendor: ['Anbieter der Sprachsynthese'],
  speech_synthesis_voice: ['Stimme der Sprachsynthese', 'Stimme', 'voice'],
  tech_prefix: ['Tech-Prefix', 'Tech-Präfix'],
  trunk_type: ['Trunk-Typ'],
  use_sips_scheme: ['Schema sips verwenden'],
  username: ['user name', 'Benutzername', 'Benutzer'],
  workload: ['weight', 'Gewicht', 'Gewichtung', 'Auslastung'],
}

/** Without case, spaces and signs, and with umlauts as letters of their own. */
const folded = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Finds the column of these that a heading stands for. */
export function headingsOf(columns: readonly string[]) {
  const known = new Map(
    columns.flatMap((column) => (WORDS[column] ?? []).map((word) => [folded(word), column])),
  )
  // the names of an export come first
  for (const column of columns) known.set(folded(column), column)
  return (heading: string) => known.get(folded(heading))
}
