const data = JSON.parse(document.getElementById("report-data").textContent);
const text = document.createElement("p");
text.textContent = data.answer.join(" ");
document.getElementById("report").append(text);
