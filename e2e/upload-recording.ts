import { WebSocket } from 'ws'

export const RECORDER = { username: 'recorder', password: 'e2e-recorder' }
/** Environment of a server that takes recordings. */
export const recorderEnvironment = {
  JAMBONZ_RECORD_WS_USERNAME: RECORDER.username,
  JAMBONZ_RECORD_WS_PASSWORD: RECORDER.password,
}

/** Samples per second. */
export const RATE = 8_000

/** Sends a call's recording in chunks like a media server, but faster than real time. `pcm`: both sides, 16 bits each. */
export async function uploadRecording(
  url: string,
  { account_sid, call_sid, pcm }: { account_sid: string; call_sid: string; pcm: Buffer },
) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/record/aws_s3`, 'audio.jambonz.org', {
    headers: { authorization: `Basic ${btoa(`${RECORDER.username}:${RECORDER.password}`)}` },
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.send(
    JSON.stringify({ accountSid: account_sid, callSid: call_sid, sampleRate: RATE, from: '1' }),
  )
  for (let offset = 0; offset < pcm.length; offset += 3_200)
    socket.send(pcm.subarray(offset, offset + 3_200))
  socket.close()
}

/** Returns the path of a recording of today, as the record of its call has it. */
export function recordingPath(account_sid: string, call_sid: string) {
  const now = new Date()
  const twoDigits = (n: number) => String(n).padStart(2, '0')
  const day = `${now.getFullYear()}/${twoDigits(now.getMonth() + 1)}/${twoDigits(now.getDate())}`
  return `/Accounts/${account_sid}/RecentCalls/${call_sid}/record/${day}/mp3`
}
