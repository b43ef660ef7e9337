import { createServiceApp, type ServiceAppOptions } from '@confetti/service-kit'
import { completeUploadsRoute, type CompleteUploadsDeps } from './routes/complete-uploads.ts'
import { createEventArchiveRoute, type CreateEventArchiveDeps } from './routes/create-event-archive.ts'
import { createMyEventArchiveRoute, type CreateMyEventArchiveDeps } from './routes/create-my-event-archive.ts'
import { createUploadTicketsRoute, type CreateUploadTicketsDeps } from './routes/create-upload-tickets.ts'
import { createUploadsRoute, type CreateUploadsDeps } from './routes/create-uploads.ts'
import { deleteGuestUploadRoute, type DeleteGuestUploadDeps } from './routes/delete-guest-upload.ts'
import { deleteMyUploadRoute, type DeleteMyUploadDeps } from './routes/delete-my-upload.ts'
import { deleteUploadRoute, type DeleteUploadDeps } from './routes/delete-upload.ts'
import { downloadArchiveRoute, type DownloadArchiveDeps } from './routes/download-archive.ts'
import { getEventCoverRoute, type GetEventCoverDeps } from './routes/get-event-cover.ts'
import { listEventUploadsRoute, type ListEventUploadsDeps } from './routes/list-event-uploads.ts'
import { listGalleryRoute, type ListGalleryDeps } from './routes/list-gallery.ts'
import { listGuestUploadsRoute, type ListGuestUploadsDeps } from './routes/list-guest-uploads.ts'
import { listMyEventUploadsRoute, type ListMyEventUploadsDeps } from './routes/list-my-event-uploads.ts'
import { listWallRoute, type ListWallDeps } from './routes/list-wall.ts'
import { reportUploadRoute, type ReportUploadDeps } from './routes/report-upload.ts'
import { resumeUploadsRoute, type ResumeUploadsDeps } from './routes/resume-uploads.ts'
import {
  setMyUploadsVisibilityRoute,
  type SetMyUploadsVisibilityDeps,
} from './routes/set-my-uploads-visibility.ts'
import { setUploadsVisibilityRoute, type SetUploadsVisibilityDeps } from './routes/set-uploads-visibility.ts'

type Deps = Omit<ServiceAppOptions, 'routes'> &
  CompleteUploadsDeps &
  CreateUploadTicketsDeps &
  ResumeUploadsDeps &
  CreateUploadsDeps &
  DeleteUploadDeps &
  CreateEventArchiveDeps &
  CreateMyEventArchiveDeps &
  DownloadArchiveDeps &
  GetEventCoverDeps &
  ListEventUploadsDeps &
  ListMyEventUploadsDeps &
  DeleteGuestUploadDeps &
  DeleteMyUploadDeps &
  ListGalleryDeps &
  ListGuestUploadsDeps &
  ListWallDeps &
  ReportUploadDeps &
  SetMyUploadsVisibilityDeps &
  SetUploadsVisibilityDeps

/** The HTTP API of the uploads service. */
export const createApp = (deps: Deps) =>
  createServiceApp({
    ...deps,
    routes: [
      createUploadsRoute(deps),
      createUploadTicketsRoute(deps),
      completeUploadsRoute(deps),
      resumeUploadsRoute(deps),
      getEventCoverRoute(deps),
      listEventUploadsRoute(deps),
      listMyEventUploadsRoute(deps),
      deleteUploadRoute(deps),
      deleteMyUploadRoute(deps),
      setUploadsVisibilityRoute(deps),
      setMyUploadsVisibilityRoute(deps),
      listGuestUploadsRoute(deps),
      deleteGuestUploadRoute(deps),
      listGalleryRoute(deps),
      reportUploadRoute(deps),
      listWallRoute(deps),
      createEventArchiveRoute(deps),
      createMyEventArchiveRoute(deps),
      downloadArchiveRoute(deps),
    ],
  })
