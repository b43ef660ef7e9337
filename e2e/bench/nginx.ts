import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { allocatePort } from '@confetti/backends'

/** Serves a file of that many bytes, all zero, with nginx. */
export const startNginx = async (bytes: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-nginx-'))
  const port = await allocatePort()
  const file = join(folder, 'archive.zip')
  await writeFile(file, '')
  await truncate(file, bytes)
  const config = join(folder, 'nginx.conf')
  await writeFile(
    config,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
     events {}
     http {
       access_log off; sendfile on; root ${folder};
       client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
       uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
       server { listen 127.0.0.1:${port}; }
     }`,
  )
  const nginx = spawn('nginx', ['-c', config, '-p', folder], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}/archive.zip`
  const isServing = (): Promise<boolean> =>
    fetch(url, { method: 'HEAD' }).then(
      ({ ok }) => ok,
      () => false,
    )
  while (nginx.exitCode === null && !(await isServing())) await sleep(50)
  return {
    url,
    pid: nginx.pid ?? 0,
    stop: async () => {
      const exited = once(nginx, 'exit')
      nginx.kill()
      await exited
      await rm(folder, { recursive: true })
    },
  }
}
