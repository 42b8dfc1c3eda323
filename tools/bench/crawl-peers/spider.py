"""Scrapy on the web of `npm run bench -- peers`: every page with its HTML as an item, every link followed."""
import scrapy


class Everything(scrapy.Spider):
    name = "everything"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": 0,
        "DEPTH_LIMIT": 0,
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
    }

    def __init__(self, seeds="", hosts="", **kwargs):
        super().__init__(**kwargs)
        self.start_urls = seeds.split(",")
        if hosts:
            self.allowed_domains = hosts.split(",")

    def parse(self, response):
        if not isinstance(response, scrapy.http.TextResponse):
            return
        yield {"url": response.url, "html": response.text}
        for link in response.css("a::attr(href)").getall():
            try:
                yield response.follow(link)
            except ValueError:
                # The link is no URL.
                continue
