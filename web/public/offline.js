// The offline page reloads its address on request, or when the connection is back.
const again = () => location.reload()
document.querySelector('button').addEventListener('click', again)
window.addEventListener('online', again)
