export const tryHref = (application_sid: string) => `/internal/applications/${application_sid}/try`

export const suitesHref = (application_sid: string) =>
  `/internal/applications/${application_sid}/suites`

export const runHref = ({
  application_sid,
  run_sid,
}: {
  application_sid: string
  run_sid: string
}) => `${tryHref(application_sid)}/${run_sid}`
