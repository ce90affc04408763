/**
 * Every job of the server by name, which is stored with jobs that wait: a job of an earlier version must find its task.
 * The server does not compile while one has no task.
 */
export type JobName =
  | 'alerts_send'
  | 'alerts_watch'
  | 'apps_read_signers'
  | 'campaigns_replan'
  | 'campaigns_settle'
  | 'devices_batch'
  | 'devices_batches'
  | 'devices_clean_pairings'
  | 'devices_expire'
  | 'devices_forget'
  | 'devices_sample'
  | 'files_check'
  | 'files_clean_blobs'
  | 'files_clean_strays'
  | 'files_clean_uploads'
  | 'files_convert'
  | 'files_convert_long'
  | 'files_convert_short'
  | 'files_examine_pictures'
  | 'files_examine_videos'
  | 'files_process'
  | 'home_fold_tallies'
  | 'player_keep_plays'
  | 'releases_advance'
  | 'releases_advance_all'
  | 'releases_send'
  | 'releases_send_all'
  | 'session_clean'
  | 'takeovers_end';
