import type { Texts } from './en.ts';

const texts: Texts = {
  product: '广告管理系统',
  pairTitle: '连接此屏幕',
  pairScan: '用手机扫描二维码',
  pairOpen: '或打开 {address} 并输入配对码',
  code: '配对码',
  mac: 'MAC 地址',
  connecting: '正在连接服务器…',
  waiting: '已连接，等待配对',
  offline: '无法连接服务器，正在重试…',
  expiredTitle: '此屏幕已到期',
  expiredContact: '请联系 {merchant} 以继续使用',
  expiredDealer: '请联系经销商以继续使用',
  nothing: '当前没有排期内容',
  downloading: '正在下载 {percent}%',
  insecure: '连接不安全：无法在本机存储，正在通过网络播放',
};

export default texts;
