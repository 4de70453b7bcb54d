const SENTENCES: Record<string, string> = {
  ar: 'مرحبًا، شكرًا لاتصالك. كيف يمكنني مساعدتك اليوم؟',
  da: 'Hej, og tak for dit opkald. Hvad kan jeg hjælpe dig med i dag?',
  de: 'Guten Tag, danke für Ihren Anruf. Was kann ich heute für Sie tun?',
  en: 'Hello, and thank you for calling. How can I help you today?',
  es: 'Hola, gracias por llamar. ¿En qué puedo ayudarle hoy?',
  fi: 'Hei, kiitos soitostasi. Kuinka voin auttaa sinua tänään?',
  fr: 'Bonjour, merci de votre appel. Comment puis-je vous aider aujourd’hui ?',
  hi: 'नमस्ते, कॉल करने के लिए धन्यवाद। आज मैं आपकी क्या मदद कर सकता हूँ?',
  it: 'Buongiorno, grazie per aver chiamato. Come posso aiutarla oggi?',
  ja: 'お電話ありがとうございます。本日はどのようなご用件でしょうか。',
  ko: '안녕하세요, 전화해 주셔서 감사합니다. 오늘 무엇을 도와드릴까요?',
  nl: 'Hallo, bedankt voor uw telefoontje. Waarmee kan ik u vandaag helpen?',
  no: 'Hei, og takk for at du ringer. Hva kan jeg hjelpe deg med i dag?',
  pl: 'Dzień dobry, dziękujemy za telefon. W czym mogę dziś pomóc?',
  pt: 'Olá, obrigado por ligar. Como posso ajudar hoje?',
  ru: 'Здравствуйте, спасибо за звонок. Чем я могу вам помочь?',
  sv: 'Hej, och tack för att du ringer. Vad kan jag hjälpa dig med i dag?',
  tr: 'Merhaba, aradığınız için teşekkürler. Bugün size nasıl yardımcı olabilirim?',
  uk: 'Добрий день, дякуємо за дзвінок. Чим я можу вам допомогти?',
  zh: '您好，感谢您的来电。今天有什么可以帮您？',
}

// vendors' other codes for languages with a sentence
const ALIASES: Record<string, string> = {
  cmn: 'zh',
  eng: 'en',
  fra: 'fr',
  fre: 'fr',
  ger: 'de',
  deu: 'de',
  ita: 'it',
  jpn: 'ja',
  nb: 'no',
  por: 'pt',
  spa: 'es',
  french: 'fr',
  german: 'de',
  hindi: 'hi',
  italian: 'it',
  japanese: 'ja',
  portuguese: 'pt',
  spanish: 'es',
}

/** A sentence in a vendor's language (`en-US`, `en_us`, `eng`, `english`); in English for unknown ones. */
export function sampleSentence(language: string): string {
  const base = language.toLowerCase().split(/[-_]/)[0]!
  return SENTENCES[ALIASES[base] ?? base] ?? SENTENCES.en!
}
