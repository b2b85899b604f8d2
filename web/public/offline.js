// Of the page for times without a connection: the same address once more, on request or when the connection is back.
const again = () => location.reload()
document.querySelector('button').addEventListener('click', again)
window.addEventListener('online', again)
