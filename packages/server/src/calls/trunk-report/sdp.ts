/** SDP lines that describe the media. Lines with keys, candidates or names match none of these. */
const SHOWN = [
  /^v=0$/,
  /^c=IN IP[46] [\da-f.:/]{2,45}$/i,
  /^b=(?:AS|CT|RR|RS|TIAS):\d{1,8}$/,
  /^t=0 0$/,
  /^m=(?:audio|video|image) \d{1,5}(?:\/\d{1,2})? [A-Za-z/]{3,24}(?: [\w-]{1,12})*$/,
  /^a=(?:sendrecv|sendonly|recvonly|inactive|rtcp-mux)$/,
  /^a=(?:max)?ptime:\d{1,4}$/,
  /^a=silenceSupp:(?:on|off)(?: [\w-]{1,8})*$/,
  /^a=rtcp:\d{1,5}(?: IN IP[46] [\da-f.:]{2,45})?$/i,
  /^a=rtpmap:\d{1,3} [A-Za-z][\w.-]{0,23}\/\d{4,6}(?:\/\d{1,2})?$/,
  /^a=fmtp:\d{1,3} (?:[\d,-]{1,16}|[a-z-]{1,24}=[\w,-]{1,12}(?:; ?[a-z-]{1,24}=[\w,-]{1,12})*)$/i,
]

/** A session description (RFC 8866) without session names, identifiers and keys. */
export const shortSdp = (body: string) =>
  body
    .split(/\r?\n/)
    .flatMap((line) => {
      const origin = /^o=\S+ \S+ \S+ (IN IP[46] [\da-f.:]{2,45})$/i.exec(line)
      if (origin) return [`o=- 0 0 ${origin[1]}`]
      if (line.startsWith('s=')) return ['s=-']
      return SHOWN.some((shown) => shown.test(line)) ? [line] : []
    })
    .join('\r\n')
